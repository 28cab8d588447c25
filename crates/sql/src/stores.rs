//! Where archives lie: on a disk that this machine sees, or on S3.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::common::{DataFusionError, plan_err};
use datafusion::execution::object_store::ObjectStoreRegistry;
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use url::Url;

use crate::checked_store::CheckedStore;
use crate::s3;

/// Opens stores by their addresses, each once.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    open: Mutex<HashMap<String, Arc<CheckedStore>>>,
}

impl Stores {
    pub(crate) fn get(&self, url: &Url) -> Result<Arc<CheckedStore>, DataFusionError> {
        let host = url.host_str().unwrap_or_default();
        let key = format!("{}://{host}", url.scheme());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.get(&key) {
            return Ok(store.clone());
        }
        let store = match url.scheme() {
            "file" => CheckedStore::new(Arc::new(LocalFileSystem::new()), "/"),
            "s3" => CheckedStore::new(Arc::new(s3::open(host)?), format!("{key}/")),
            _ => {
                return plan_err!("cannot read {url}: use a folder, or S3 (s3://BUCKET/FOLDER)");
            }
        };
        let store = Arc::new(store);
        open.insert(key, store.clone());
        Ok(store)
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        // Every store is one of ours, so that nothing is read unchecked.
        None
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>, DataFusionError> {
        Ok(self.get(url)?)
    }
}
