//! A future with an end to its patience, under whatever runtime polls it: none can be counted on.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// What a future gives, unless it takes too long: a host's own driver may wait for a network, and keeps no time for
/// us. The timer is a thread, since no runtime can be counted on.
pub(super) async fn in_time<T>(future: impl Future<Output = T>, patience: Duration) -> Option<T> {
    let mut future = pin!(future);
    let end = Instant::now() + patience;
    let mut timer: Option<Timer> = None;
    poll_fn(|context| {
        if let Poll::Ready(given) = future.as_mut().poll(context) {
            return Poll::Ready(Some(given));
        }
        if Instant::now() >= end {
            return Poll::Ready(None);
        }
        match &timer {
            Some(timer) => timer.wakes(context.waker()),
            None => match Timer::until(end, context.waker()) {
                Ok(started) => timer = Some(started),
                // Without a timer it could wait for ever.
                Err(_) => return Poll::Ready(None),
            },
        }
        Poll::Pending
    })
    .await
}

/// Wakes whoever waits at a moment, unless it is dropped before.
struct Timer {
    waker: Arc<Mutex<Waker>>,
    /// Its drop ends the thread.
    _running: mpsc::Sender<()>,
}

impl Timer {
    fn until(end: Instant, waker: &Waker) -> io::Result<Self> {
        let waker = Arc::new(Mutex::new(waker.clone()));
        let (running, dropped) = mpsc::channel();
        let sleeper = Arc::clone(&waker);
        let wait = move || {
            let left = end.saturating_duration_since(Instant::now());
            if dropped.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                // A waker may poll at once, and that takes the lock.
                let waker = sleeper
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone();
                waker.wake();
            }
        };
        let thread = std::thread::Builder::new().name("hcp-timer".to_owned());
        thread.spawn(wait)?;
        Ok(Self {
            waker,
            _running: running,
        })
    }

    /// From here on it wakes this one: a future may be polled by another task than before.
    fn wakes(&self, waker: &Waker) {
        let mut kept = self.waker.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone_from(waker);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Wake};

    #[test]
    fn what_does_not_come_in_time_does_not_come() {
        let begun = Instant::now();
        let never = in_time(std::future::pending::<()>(), Duration::from_millis(50));
        assert_eq!(pollster::block_on(never), None);
        let took = begun.elapsed();
        assert!(
            took >= Duration::from_millis(50) && took < Duration::from_secs(2),
            "{took:?}"
        );
        let ready = in_time(std::future::ready(7), Duration::ZERO);
        assert_eq!(pollster::block_on(ready), Some(7));
        let later = in_time(
            async {
                let (done, told) = futures_channel::oneshot::channel();
                std::thread::spawn(move || done.send(7));
                told.await
            },
            Duration::from_secs(60),
        );
        assert_eq!(pollster::block_on(later), Some(Ok(7)));
    }

    #[derive(Default)]
    struct Counted(AtomicUsize);

    impl Wake for Counted {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn who_polled_last_is_woken() {
        let (first, last) = (Arc::new(Counted::default()), Arc::new(Counted::default()));
        let mut waiting = pin!(in_time(
            std::future::pending::<()>(),
            Duration::from_millis(50)
        ));
        for counted in [&first, &last] {
            let waker = Waker::from(Arc::clone(counted));
            let polled = waiting.as_mut().poll(&mut Context::from_waker(&waker));
            assert_eq!(polled, Poll::Pending);
        }
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(first.0.load(Ordering::SeqCst), 0);
        assert_eq!(last.0.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn what_came_in_time_leaves_no_timer() {
        let counted = Arc::new(Counted::default());
        let waker = Waker::from(Arc::clone(&counted));
        {
            let mut waiting = pin!(in_time(
                std::future::pending::<()>(),
                Duration::from_secs(60)
            ));
            let polled = waiting.as_mut().poll(&mut Context::from_waker(&waker));
            assert_eq!(polled, Poll::Pending);
        }
        drop(waker);
        // The timer's thread lets go of its waker.
        let end = Instant::now() + Duration::from_secs(10);
        while Arc::strong_count(&counted) > 1 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(Arc::strong_count(&counted), 1);
        assert_eq!(counted.0.load(Ordering::SeqCst), 0);
    }
}
