//! The page, embedded.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// A file of the page.
struct File {
    name: &'static str,
    kind: &'static str,
    contents: &'static [u8],
}

macro_rules! files {
    ($($name:literal $kind:literal,)*) => {
        /// Every file of the built page. A test compares the list with the folder.
        const FILES: &[File] = &[$(File {
            name: $name,
            kind: $kind,
            contents: include_bytes!(concat!("../page/", $name)),
        }),*];
    };
}

files! {
    "index.html" "text/html; charset=utf-8",
    "app.js" "text/javascript; charset=utf-8",
    "app.css" "text/css; charset=utf-8",
    "engine-worker.js" "text/javascript; charset=utf-8",
    "icon.svg" "image/svg+xml",
    "manifest.webmanifest" "application/manifest+json",
    "rules.wasm" "application/wasm",
    "sw.js" "text/javascript; charset=utf-8",
}

pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let Some(file) = FILES.iter().find(|file| file.name == name) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address")
            .into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "files of the page can only be read",
        )
        .into_response();
    }
    let tag = format!("\"{:08x}\"", crc32fast::hash(file.contents));
    let known = headers
        .get(IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let head = [
        (CONTENT_TYPE, file.kind),
        // A new version of the program has a new page.
        (CACHE_CONTROL, "no-cache"),
        (ETAG, tag.as_str()),
    ];
    if known {
        (StatusCode::NOT_MODIFIED, head).into_response()
    } else {
        (head, file.contents).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        let mut embedded: Vec<&str> = FILES.iter().map(|file| file.name).collect();
        embedded.sort_unstable();
        assert_eq!(names, embedded);
    }
}
