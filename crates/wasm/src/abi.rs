//! The interface to JavaScript.
//!
//! JavaScript allocates memory with `allocate`, writes a request there and passes it on; the callee owns it from then
//! on. An answer of the rules is its length in four bytes and its text; `release` frees it. The engine's answers go out
//! one by one through the import `emit`, because one request can have many.

// Buffers cross the border as addresses.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;

/// Makes room for a request.
#[unsafe(no_mangle)]
extern "C" fn allocate(length: usize) -> *mut u8 {
    ManuallyDrop::new(vec![0_u8; length].into_boxed_slice()).as_mut_ptr()
}

/// Takes ownership of the memory that `allocate` returned.
///
/// # Safety
///
/// The address and the length are those of an earlier `allocate`, and are used once.
unsafe fn take(address: *mut u8, length: usize) -> Box<[u8]> {
    let slice = std::ptr::slice_from_raw_parts_mut(address, length);
    // SAFETY: by the contract, `allocate` made this box with the same length, and nobody else owns it.
    unsafe { Box::from_raw(slice) }
}

#[cfg(feature = "rules")]
mod rules {
    use super::take;

    /// Answers a request.
    ///
    /// # Safety
    ///
    /// The request is in the memory that `allocate` returned for this length, and is used once.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn call(address: *mut u8, length: usize) -> *mut u8 {
        // SAFETY: passed on to the caller.
        let request = unsafe { take(address, length) };
        let answer = crate::rules::answer(&request);
        drop(request);
        let mut framed = Vec::with_capacity(answer.len() + 4);
        framed.extend((answer.len() as u32).to_le_bytes());
        framed.extend(answer);
        Box::leak(framed.into_boxed_slice()).as_mut_ptr()
    }

    /// Gives an answer back.
    ///
    /// # Safety
    ///
    /// The address is one that `call` returned, and is used once.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn release(address: *mut u8) {
        // SAFETY: `call` put the length there.
        let length = unsafe { address.cast::<u32>().read_unaligned() };
        // SAFETY: `call` leaked a box of this length, and the caller gives it back once.
        drop(unsafe { take(address, length as usize + 4) });
    }
}

#[cfg(feature = "engine")]
mod engine {
    use std::cell::{Cell, RefCell};
    use std::time::Duration;

    use tabiya_engine::{Engine, StopSignal, bench, clock};

    use super::take;
    use crate::engine::{EngineHost, EngineRequest, EngineResponse, Updates};

    #[link(wasm_import_module = "tabiya")]
    unsafe extern "C" {
        /// Milliseconds since some fixed moment.
        safe fn now() -> f64;
        /// The last request that is over.
        safe fn stopped() -> u32;
        /// Passes on an answer.
        fn emit(address: *const u8, length: usize);
    }

    thread_local! {
        static HOST: RefCell<Option<EngineHost>> = const { RefCell::new(None) };
        /// The request that runs.
        static RUNNING: Cell<u32> = const { Cell::new(0) };
        /// Reports that wait for their turn.
        static UPDATES: RefCell<Updates> = RefCell::new(Updates::default());
    }

    fn time() -> Duration {
        Duration::from_secs_f64(now().max(0.0) / 1000.0)
    }

    /// Whether the running request is over. The search asks now and then, so reports go out here, too.
    fn poll() -> bool {
        UPDATES
            .with_borrow_mut(|updates| updates.due(time()))
            .iter()
            .for_each(send);
        stopped() >= RUNNING.get()
    }

    fn send(answer: &EngineResponse) {
        let text = serde_json::to_vec(answer).unwrap_or_default();
        // SAFETY: JavaScript reads the text before it returns.
        unsafe { emit(text.as_ptr(), text.len()) };
    }

    /// Starts the engine with a network. It answers that it is ready, or why not.
    ///
    /// # Safety
    ///
    /// The network is in the memory that `allocate` returned for this length, and is used once.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn start(address: *mut u8, length: usize, hash: usize) {
        // SAFETY: passed on to the caller.
        let bytes = unsafe { take(address, length) };
        clock::set_source(time);
        #[cfg(tabiya_network_beside)]
        match tabiya_engine::Network::read(&bytes) {
            Ok(network) => network.install(),
            Err(error) => {
                let message = format!("The engine's network cannot be read: {error}.");
                send(&EngineResponse::Error { id: None, message });
                return;
            }
        }
        drop(bytes);
        match EngineHost::new("browser", 1, hash.clamp(1, 1024)) {
            Ok(host) => {
                let engine = host.description().clone();
                HOST.set(Some(host));
                send(&EngineResponse::Ready { engine });
            }
            Err(error) => send(&EngineResponse::Error {
                id: None,
                message: format!("The engine cannot start: {error}."),
            }),
        }
    }

    /// Runs a request to its end.
    ///
    /// # Safety
    ///
    /// The request is in the memory that `allocate` returned for this length, and is used once.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn run(address: *mut u8, length: usize) {
        // SAFETY: passed on to the caller.
        let text = unsafe { take(address, length) };
        let request: EngineRequest = match serde_json::from_slice(&text) {
            Ok(request) => request,
            Err(error) => {
                let message = format!("This is not a request: {error}.");
                send(&EngineResponse::Error { id: None, message });
                return;
            }
        };
        RUNNING.set(request.id());
        HOST.with_borrow_mut(|host| {
            let Some(host) = host else { return };
            host.run(&request, &StopSignal::polling(poll), &mut |answer| {
                let ready = UPDATES.with_borrow_mut(|updates| updates.add(answer, time()));
                ready.iter().for_each(send);
            });
        });
    }

    /// Searches the bench positions to a depth and returns the number of nodes, to compare with `tabiya bench`.
    #[unsafe(no_mangle)]
    extern "C" fn bench_nodes(depth: u32) -> f64 {
        let result = bench::bench(&mut Engine::default(), depth, &StopSignal::default());
        result.map_or(0.0, |result| result.nodes as f64)
    }
}
