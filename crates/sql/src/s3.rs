//! Buckets on S3, and why they cannot be read.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use datafusion::common::{DataFusionError, plan_datafusion_err, plan_err};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::{Error as StoreError, RetryConfig};
use url::Url;

/// How often a request is repeated that the server has not answered, and for how long. Connecting takes at most 5 seconds
/// and an answer 30, so a server that is gone costs some seconds and one that is silent half a minute.
const RETRIES: usize = 3;
const PATIENCE: Duration = Duration::from_secs(15);

/// Where machines of Amazon find their keys. They are looked for there if there are none in the environment.
const METADATA: [&str; 2] = ["/latest/api/token", "/latest/meta-data/iam/"];

/// Opens a bucket. Access is set up by the environment variables that Amazon's own programs read.
pub(crate) fn open(bucket: &str) -> Result<AmazonS3, DataFusionError> {
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_retry(RetryConfig {
            max_retries: RETRIES,
            retry_timeout: PATIENCE,
            ..RetryConfig::default()
        });
    let endpoint = builder
        .get_config_value(&AmazonS3ConfigKey::S3Endpoint)
        .or_else(|| builder.get_config_value(&AmazonS3ConfigKey::Endpoint));
    if let Some(endpoint) = endpoint {
        match Url::parse(&endpoint) {
            // Whoever writes http:// wants it.
            Ok(url) if url.scheme() == "http" => builder = builder.with_allow_http(true),
            Ok(url) if url.scheme() == "https" => {}
            _ => {
                return plan_err!(
                    "AWS_ENDPOINT_URL is '{endpoint}', which is no address such as http://localhost:9000"
                );
            }
        }
    }
    builder
        .build()
        .map_err(|error| plan_datafusion_err!("cannot open s3://{bucket}: {error}"))
}

/// A file on S3 that cannot be read, in one sentence. It has no quotation marks, so that it is found again in what an
/// executor reports.
#[derive(Debug)]
pub(crate) struct S3Error(String);

impl fmt::Display for S3Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for S3Error {}

impl S3Error {
    /// What every sentence begins with.
    pub(crate) const START: &str = "cannot read s3://";

    /// Whether an error has been explained.
    pub(crate) fn is(error: &StoreError) -> bool {
        matches!(error, StoreError::Generic { source, .. } if source.is::<Self>())
    }
}

/// Explains why a file was not read, unless the server has answered that there is no such file or part of it.
pub(crate) fn explain(file: &str, error: StoreError) -> StoreError {
    if !file.starts_with("s3://") || S3Error::is(&error) {
        return error;
    }
    match reason(&error) {
        Some(reason) => StoreError::Generic {
            store: "S3",
            source: Box::new(S3Error(format!("cannot read {file}: {reason}"))),
        },
        None => error,
    }
}

fn reason(error: &StoreError) -> Option<String> {
    let text = error.to_string();
    if METADATA.iter().any(|path| text.contains(path)) {
        return Some("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set".to_owned());
    }
    if let Some(http) = causes(error).find_map(|cause| cause.downcast_ref::<HttpError>()) {
        let last = causes(http)
            .last()
            .map_or_else(String::new, ToString::to_string);
        return Some(match http.kind() {
            HttpErrorKind::Timeout => "the server does not answer in time".to_owned(),
            HttpErrorKind::Connect => format!("the server cannot be reached: {last}"),
            _ => format!("the connection to the server failed: {last}"),
        });
    }
    let code = between(&text, "<Code>", "</Code>");
    let status = between(&text, "status code: ", ":");
    let known = match (code, status) {
        (Some("NoSuchKey" | "InvalidRange"), _) => return None,
        (Some("NoSuchBucket"), _) => "there is no such bucket",
        (Some("InvalidAccessKeyId"), _) => "the server does not know the key in AWS_ACCESS_KEY_ID",
        (Some("SignatureDoesNotMatch"), _) => {
            "the key in AWS_SECRET_ACCESS_KEY does not belong to that in AWS_ACCESS_KEY_ID"
        }
        (Some("ExpiredToken" | "InvalidToken"), _) => {
            "AWS_SESSION_TOKEN is not valid, or no longer"
        }
        (Some("PermanentRedirect" | "AuthorizationHeaderMalformed"), _) => {
            "the bucket is in another region: set AWS_REGION"
        }
        _ if text.contains("incorrectly configured region") => {
            "the bucket is in another region: set AWS_REGION"
        }
        (None, Some(status)) if status.starts_with("404") || status.starts_with("416") => {
            return None;
        }
        (code, Some(status)) if status.starts_with("401") || status.starts_with("403") => {
            return Some(match code {
                Some(code) => format!("the server refuses access with these keys ({code})"),
                None => "the server refuses access with these keys".to_owned(),
            });
        }
        (Some(code), _) => return Some(format!("the server answers {code}")),
        (None, Some(status)) => return Some(format!("the server answers {status}")),
        (None, None) => return None,
    };
    Some(known.to_owned())
}

/// An error, its cause, the cause of that, and so on.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(found, _)| found)
}
