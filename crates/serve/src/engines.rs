//! Native engines: so many and no more.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_engine::StopSignal;
use tabiya_wasm::engine::{EngineDescription, EngineHost, EngineRequest, EngineResponse};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{interval, timeout};

/// How long a request waits for an engine.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// How long an idle engine keeps its memory.
const IDLE: Duration = Duration::from_secs(60);

/// The engines of the server. Each runs one request at a time, for any user.
///
/// An idle engine waits for its last user, whose positions are in its table; if all are taken, it works for another.
pub(crate) struct Engines {
    most: usize,
    threads: usize,
    hash: usize,
    /// One for each engine that may run.
    permits: Arc<Semaphore>,
    pool: Mutex<Pool>,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Idle>,
    /// Engines that exist, idle or not.
    count: usize,
}

struct Idle {
    owner: u64,
    since: Instant,
    host: EngineHost,
}

/// No engine was free in time, or it failed.
#[derive(Debug)]
pub(crate) struct EngineBusy(pub(crate) &'static str);

impl Engines {
    pub(crate) fn new(most: usize, threads: usize, hash: usize) -> Self {
        let most = most.max(1);
        Self {
            most,
            threads,
            hash,
            permits: Arc::new(Semaphore::new(most)),
            pool: Mutex::default(),
        }
    }

    pub(crate) fn description(&self) -> EngineDescription {
        EngineDescription {
            kind: "native",
            name: concat!("Tabiya ", env!("CARGO_PKG_VERSION")),
            threads: self.threads,
            hash: self.hash,
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a request on an engine. `emit` gets every answer, on the engine's thread.
    pub(crate) async fn run(
        self: &Arc<Self>,
        owner: u64,
        request: EngineRequest,
        signal: StopSignal,
        mut emit: impl FnMut(EngineResponse) + Send + 'static,
    ) -> Result<(), EngineBusy> {
        let waiting = timeout(MAX_WAIT, Arc::clone(&self.permits).acquire_owned());
        let Ok(Ok(permit)) = waiting.await else {
            return Err(EngineBusy("all engines are busy; try again in a moment"));
        };
        let engines = Arc::clone(self);
        let work = spawn_blocking(move || {
            // Moved in, so that it is given back even if the request fails.
            let _permit = permit;
            let mut lease = Lease::take(&engines, owner)?;
            lease.host().run(&request, &signal, &mut emit);
            lease.give_back(owner);
            Ok(())
        });
        work.await
            .unwrap_or(Err(EngineBusy("the engine failed; try again")))
    }

    /// Frees the memory of engines that nobody uses.
    pub(crate) async fn clean_up(self: Arc<Self>) {
        let mut ticks = interval(IDLE / 4);
        loop {
            ticks.tick().await;
            self.drop_idle(Instant::now());
        }
    }

    fn drop_idle(&self, now: Instant) {
        let mut pool = self.pool();
        let before = pool.idle.len();
        pool.idle
            .retain(|idle| now.saturating_duration_since(idle.since) < IDLE);
        pool.count -= before - pool.idle.len();
    }
}

/// A busy engine. It counts towards the limit as long as it exists.
struct Lease<'a> {
    engines: &'a Engines,
    host: Option<EngineHost>,
    is_back: bool,
}

impl<'a> Lease<'a> {
    fn new(engines: &'a Engines, host: Option<EngineHost>) -> Self {
        Self {
            engines,
            host,
            is_back: false,
        }
    }

    fn take(engines: &'a Engines, owner: u64) -> Result<Self, EngineBusy> {
        let mut pool = engines.pool();
        let own = pool.idle.iter().position(|idle| idle.owner == owner);
        if let Some(index) = own {
            let host = Some(pool.idle.remove(index).host);
            return Ok(Self::new(engines, host));
        }
        if pool.count >= engines.most && !pool.idle.is_empty() {
            // The one that has waited longest.
            let mut host = pool.idle.remove(0).host;
            drop(pool);
            host.new_game();
            let host = Some(host);
            return Ok(Self::new(engines, host));
        }
        pool.count += 1;
        drop(pool);
        let mut lease = Self::new(engines, None);
        let host = EngineHost::new("native", engines.threads, engines.hash)
            .map_err(|_| EngineBusy("there is not enough memory for another engine"))?;
        lease.host = Some(host);
        Ok(lease)
    }

    fn host(&mut self) -> &mut EngineHost {
        self.host
            .as_mut()
            .expect("an engine until it is given back")
    }

    fn give_back(mut self, owner: u64) {
        if let Some(host) = self.host.take() {
            self.engines.pool().idle.push(Idle {
                owner,
                since: Instant::now(),
                host,
            });
            self.is_back = true;
        }
    }
}

/// An engine whose request failed may be in any state, so it is not used again.
impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if !self.is_back {
            self.engines.pool().count -= 1;
        }
    }
}

impl fmt::Debug for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engines")
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

/// Stops a search when the client goes away.
#[derive(Debug, Default)]
pub(crate) struct StopOnDrop(pub(crate) StopSignal);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
