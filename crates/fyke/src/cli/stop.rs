//! Ctrl-C: the first stops in good order, the second at once.

use fyke_crawl::Control;
use std::io::Write;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Asks `stop` at a Ctrl-C (or polite kill); once it is stopped, by a signal or by the caller, the
/// next ends the process. Goes on until the handle is aborted or the runtime is gone.
pub(super) fn on_interrupt(stop: Control) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        while asked().await.is_ok() {
            if stop.is_stopped() {
                let advice = "ended; run the same command again to continue";
                let _ = writeln!(std::io::stderr(), "\n{advice}");
                std::process::exit(i32::from(super::Exit::Stopped.code()));
            }
            stop.stop();
            let advice = "stopping; what was fetched is safe (Ctrl-C again ends at once)";
            let _ = writeln!(std::io::stderr(), "\n{advice}");
        }
    })
}

/// Waits for Ctrl-C or SIGTERM.
///
/// # Errors
/// When signals cannot be listened for.
pub(super) async fn asked() -> std::io::Result<()> {
    StopSignals::listen()?.next().await;
    Ok(())
}

/// Ctrl-C and SIGTERM, none of which is missed from when it was made on.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// # Errors
    /// When signals cannot be listened for.
    pub(super) fn listen() -> std::io::Result<StopSignals> {
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(StopSignals { interrupt, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the next of them.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
