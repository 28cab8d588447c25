//! Object stores that compare what they read with an archive's checksums.
//!
//! Parquet files have no checksums of their own that every reader understands, so a flipped bit could change an answer.
//! An archive has one for every 64 KiB of every file. Everything that SQL reads from an archive passes through here, on
//! this machine and on the executors of a cluster, from a local disk and from S3.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions,
    PutPayload, PutResult, Result,
};
use tabiya_archive::{ArchiveError, BLOCK, DataFile, Manifest, Table};

use crate::s3::{self, S3Error};

/// A file of an archive that is not as it was written.
fn damaged(path: String, reason: impl Into<String>) -> Error {
    let error = ArchiveError::Damaged {
        path: path.into(),
        reason: reason.into(),
    };
    Error::Generic {
        store: "archive",
        source: Box::new(error),
    }
}

/// What a file must be.
#[derive(Debug)]
struct Seal {
    size: u64,
    /// The checksums of its blocks.
    sums: Vec<u32>,
}

/// A store in which the files of archives are checked. Other files are read as they are, and none is written.
#[derive(Debug)]
pub(crate) struct CheckedStore {
    inner: Arc<dyn ObjectStore>,
    /// What comes before a path in messages: `/` or `s3://bucket/`.
    root: String,
    manifests: Mutex<HashMap<Path, Arc<Manifest>>>,
    seals: Mutex<HashMap<Path, Arc<Seal>>>,
}

impl CheckedStore {
    pub(crate) fn new(inner: Arc<dyn ObjectStore>, root: impl Into<String>) -> Self {
        Self {
            inner,
            root: root.into(),
            manifests: Mutex::default(),
            seals: Mutex::default(),
        }
    }

    fn name(&self, path: &Path) -> String {
        format!("{}{path}", self.root)
    }

    /// Says why a file of S3 was not read.
    fn explain(&self, path: &Path, error: Error) -> Error {
        s3::explain(&self.name(path), error)
    }

    /// Asks for a file or a part of it.
    async fn get_inner(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        let found = self.inner.get_opts(path, options).await;
        found.map_err(|error| self.explain(path, error))
    }

    /// Reads a whole file, unchecked.
    async fn read(&self, path: &Path) -> Result<Bytes> {
        let found = self.get_inner(path, GetOptions::default()).await?;
        let bytes = found.bytes().await;
        bytes.map_err(|error| self.explain(path, error))
    }

    /// Reads the manifest of an archive; `None` if the folder has none.
    pub(crate) async fn manifest(&self, folder: &Path) -> Result<Option<Arc<Manifest>>> {
        let path = below(folder, &Manifest::path("".as_ref()));
        let bytes = match self.read(&path).await {
            Ok(bytes) => bytes,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let name = self.name(&path);
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return Err(damaged(name, "it is not text"));
        };
        let manifest = Manifest::parse(text, name.as_ref()).map_err(|error| Error::Generic {
            store: "archive",
            source: Box::new(error),
        })?;
        let manifest = Arc::new(manifest);
        lock(&self.manifests).insert(folder.clone(), manifest.clone());
        Ok(Some(manifest))
    }

    /// Returns what a file must be; `None` if it belongs to no archive. What is known is not read again, unless it is
    /// to be fresh: the archive may have been built anew.
    async fn seal(&self, path: &Path, fresh: bool) -> Result<Option<Arc<Seal>>> {
        let Some((folder, table)) = in_archive(path) else {
            return Ok(None);
        };
        if !fresh && let Some(seal) = lock(&self.seals).get(path) {
            return Ok(Some(seal.clone()));
        }
        let find = |manifest: &Manifest| -> Option<DataFile> {
            let mut files = manifest.files(table);
            files
                .find(|file| Some(file.name.as_str()) == path.filename())
                .cloned()
        };
        let known = lock(&self.manifests).get(&folder).cloned();
        let known = known.filter(|_| !fresh).and_then(|found| find(&found));
        let file = match known {
            Some(file) => file,
            None => match self.manifest(&folder).await?.and_then(|found| find(&found)) {
                Some(file) => file,
                None => return Ok(None),
            },
        };
        let sums_path = below(&folder, &file.sums_path("".as_ref()));
        let bytes = match self.read(&sums_path).await {
            Ok(bytes) => bytes,
            Err(Error::NotFound { .. }) => {
                return Err(damaged(self.name(&sums_path), "it is missing"));
            }
            Err(error) => return Err(error),
        };
        let length = file.size.div_ceil(BLOCK as u64) * 4;
        if crc32fast::hash(&bytes) != file.checksum || bytes.len() as u64 != length {
            return Err(damaged(
                self.name(&sums_path),
                "it has changed since it was written",
            ));
        }
        let (sums, _) = bytes.as_chunks();
        let seal = Arc::new(Seal {
            size: file.size,
            sums: sums.iter().map(|sum| u32::from_le_bytes(*sum)).collect(),
        });
        lock(&self.seals).insert(path.clone(), seal.clone());
        Ok(Some(seal))
    }

    /// Reads whole blocks and compares them.
    async fn get_checked(
        &self,
        path: &Path,
        options: &GetOptions,
        seal: &Seal,
    ) -> Result<GetResult> {
        let wrong_size = |size: u64| {
            let what = if size < seal.size {
                "cut off"
            } else {
                "too long"
            };
            let wanted = seal.size;
            let reason = format!("it is {what}: it has {size} bytes and should have {wanted}");
            damaged(self.name(path), reason)
        };
        let range = match &options.range {
            Some(range) => range.as_range(seal.size).map_err(|error| Error::Generic {
                store: "archive",
                source: Box::new(error),
            })?,
            None => 0..seal.size,
        };
        let block = BLOCK as u64;
        let blocks = range.start / block..range.end.div_ceil(block);
        let wide = blocks.start * block..(blocks.end * block).min(seal.size);
        let mut wide_options = options.clone();
        if !options.head {
            wide_options.range = Some(GetRange::Bounded(wide));
        }
        let found = match self.get_inner(path, wide_options).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Err(damaged(self.name(path), "it is missing")),
            Err(error) if S3Error::is(&error) => return Err(error),
            // A file that is cut off may have nothing where we read.
            Err(error) => {
                return Err(match self.inner.head(path).await {
                    Ok(meta) if meta.size != seal.size => wrong_size(meta.size),
                    _ => error,
                });
            }
        };
        if found.meta.size != seal.size {
            return Err(wrong_size(found.meta.size));
        }
        if options.head {
            return Ok(found);
        }
        let (meta, attributes) = (found.meta.clone(), found.attributes.clone());
        let first = found.range.start;
        let bytes = found.bytes().await;
        let bytes = bytes.map_err(|error| self.explain(path, error))?;
        for (index, bytes) in (blocks.start..).zip(bytes.chunks(BLOCK)) {
            if seal.sums.get(index as usize) != Some(&crc32fast::hash(bytes)) {
                let at = index * block;
                let end = at + bytes.len() as u64;
                let reason = format!("bytes {at} to {end} have changed since they were written");
                return Err(damaged(self.name(path), reason));
            }
        }
        let offset = |at: u64| (at - first) as usize;
        let wanted = bytes.slice(offset(range.start)..offset(range.end));
        Ok(GetResult {
            payload: GetResultPayload::Stream(futures::stream::iter([Ok(wanted)]).boxed()),
            meta,
            range,
            attributes,
        })
    }
}

/// The folder of the archive in which a file may be, and its table.
fn in_archive(path: &Path) -> Option<(Path, Table)> {
    let parts: Vec<_> = path.parts().collect();
    let [folder @ .., table, _] = &parts[..] else {
        return None;
    };
    let table = Table::ALL
        .into_iter()
        .find(|known| known.name() == table.as_ref())?;
    Some((folder.iter().cloned().collect(), table))
}

/// The path of a file in a folder, given its relative path.
pub(crate) fn below(folder: &Path, relative: &std::path::Path) -> Path {
    let parts = relative.iter().map(|part| part.to_string_lossy());
    parts.fold(folder.clone(), |path, part| path.join(part.as_ref()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_only<T>(path: &Path) -> Result<T> {
    Err(Error::NotSupported {
        source: format!("{path} is only read, never written").into(),
    })
}

impl fmt::Display for CheckedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "checked {}", self.inner)
    }
}

#[async_trait]
impl ObjectStore for CheckedStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let Some(seal) = self.seal(location, false).await? else {
            return self.get_inner(location, options).await;
        };
        match self.get_checked(location, &options, &seal).await {
            Err(error) if !S3Error::is(&error) => {}
            found => return found,
        }
        // The archive may have been built anew.
        match self.seal(location, true).await? {
            Some(fresh) => self.get_checked(location, &options, &fresh).await,
            None => self.get_inner(location, options).await,
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let name = format!("{}{}", self.root, prefix.cloned().unwrap_or_default());
        let found = self.inner.list(prefix);
        found
            .map_err(move |error| s3::explain(&name, error))
            .boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn put_opts(&self, path: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        read_only(path)
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        read_only(path)
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        paths
            .map(|path| path.and_then(|path| read_only(&path)))
            .boxed()
    }

    async fn copy_opts(&self, from: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        read_only(from)
    }
}
