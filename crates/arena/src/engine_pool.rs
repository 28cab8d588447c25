//! The running engines.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabiya_uci::{Client, ClientError};

use crate::engine_spec::EngineSpec;

/// How long an engine may take to start and to become ready.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How often to try to start an engine before it loses the game.
const ATTEMPTS: usize = 2;

/// The running engines that wait for their next game, shared by all threads.
pub(crate) struct EnginePool<'a> {
    engines: &'a [EngineSpec],
    idle: Mutex<Vec<(usize, Client)>>,
    /// How many may wait: each takes memory.
    most_idle: usize,
    stop: Arc<AtomicBool>,
    /// The total time of all `isready` round trips, and their number.
    ping_nanoseconds: AtomicU64,
    pings: AtomicU64,
}

impl<'a> EnginePool<'a> {
    pub(crate) fn new(engines: &'a [EngineSpec], tables: usize, stop: &Arc<AtomicBool>) -> Self {
        Self {
            engines,
            idle: Mutex::default(),
            most_idle: 2 * tables,
            stop: Arc::clone(stop),
            ping_nanoseconds: AtomicU64::new(0),
            pings: AtomicU64::new(0),
        }
    }

    /// Returns an engine that is ready for a new game: an idle one, or a new one.
    pub(crate) fn acquire(&self, player: usize) -> Result<Client, ClientError> {
        let waiting = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let at = idle.iter().rposition(|&(number, _)| number == player);
            at.map(|at| idle.remove(at).1)
        };
        if let Some(mut client) = waiting
            && self.prepare(&mut client).is_ok()
        {
            return Ok(client);
        }
        // An engine that crashed between two games has lost neither.
        let mut attempts = 0;
        loop {
            if self.is_stopped() {
                return Err(ClientError::Interrupted);
            }
            attempts += 1;
            match self.start(player) {
                Err(_) if attempts < ATTEMPTS => {}
                started => return started,
            }
        }
    }

    /// Starts an engine and makes it ready for a new game.
    pub(crate) fn start(&self, player: usize) -> Result<Client, ClientError> {
        let mut client = self.engines[player].program.start(TIMEOUT)?;
        client.interrupt_on(Arc::clone(&self.stop));
        self.prepare(&mut client)?;
        Ok(client)
    }

    fn prepare(&self, client: &mut Client) -> Result<(), ClientError> {
        client.new_game(TIMEOUT)?;
        let start = Instant::now();
        client.wait_until_ready(TIMEOUT)?;
        let time = start.elapsed().as_nanos() as u64;
        self.ping_nanoseconds.fetch_add(time, Ordering::Relaxed);
        self.pings.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Takes back a working engine.
    pub(crate) fn release(&self, player: usize, client: Client) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((player, client));
        // Stopping the oldest one may take a moment, so the lock is released first.
        let oldest = (idle.len() > self.most_idle).then(|| idle.remove(0));
        drop(idle);
        drop(oldest);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Stops all games.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the average time of an `isready` round trip.
    pub(crate) fn ping(&self) -> Duration {
        let pings = self.pings.load(Ordering::Relaxed).max(1);
        Duration::from_nanos(self.ping_nanoseconds.load(Ordering::Relaxed) / pings)
    }
}
