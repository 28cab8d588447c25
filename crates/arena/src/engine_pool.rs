//! The engines that run.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabiya_uci::{Client, ClientError};

use crate::engine_spec::EngineSpec;

/// How long an engine may take to start and to get ready.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How often an engine is started for a game before it loses it.
const ATTEMPTS: usize = 2;

/// The engines that run and wait for their next game. All tables share them.
pub(crate) struct EnginePool<'a> {
    contestants: &'a [EngineSpec],
    idle: Mutex<Vec<(usize, Client)>>,
    /// How many may wait: each holds memory.
    most_idle: usize,
    stop: Arc<AtomicBool>,
    /// How long engines take for an answer that needs no thought, all together, and how often they were asked.
    echo_nanoseconds: AtomicU64,
    echoes: AtomicU64,
}

impl<'a> EnginePool<'a> {
    pub(crate) fn new(
        contestants: &'a [EngineSpec],
        tables: usize,
        stop: &Arc<AtomicBool>,
    ) -> Self {
        Self {
            contestants,
            idle: Mutex::default(),
            most_idle: 2 * tables,
            stop: Arc::clone(stop),
            echo_nanoseconds: AtomicU64::new(0),
            echoes: AtomicU64::new(0),
        }
    }

    /// An engine that is ready for a new game: one that waits, or a new one.
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
        // One that has broken down between two games has lost neither.
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

    /// An engine that is started for this, and ready for a new game.
    pub(crate) fn start(&self, player: usize) -> Result<Client, ClientError> {
        let mut client = self.contestants[player].program.start(TIMEOUT)?;
        client.interrupt_on(Arc::clone(&self.stop));
        self.prepare(&mut client)?;
        Ok(client)
    }

    fn prepare(&self, client: &mut Client) -> Result<(), ClientError> {
        client.new_game(TIMEOUT)?;
        let start = Instant::now();
        client.wait_until_ready(TIMEOUT)?;
        let time = start.elapsed().as_nanos() as u64;
        self.echo_nanoseconds.fetch_add(time, Ordering::Relaxed);
        self.echoes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Takes back an engine that works.
    pub(crate) fn release(&self, player: usize, client: Client) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((player, client));
        // The one that has waited longest goes home, which may take a moment that others need not wait for.
        let oldest = (idle.len() > self.most_idle).then(|| idle.remove(0));
        drop(idle);
        drop(oldest);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends all games.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// How long an engine takes for an answer that needs no thought.
    pub(crate) fn ping(&self) -> Duration {
        let echoes = self.echoes.load(Ordering::Relaxed).max(1);
        Duration::from_nanos(self.echo_nanoseconds.load(Ordering::Relaxed) / echoes)
    }
}
