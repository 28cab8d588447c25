//! An engine that thinks in a thread of its own, about whatever it was asked last.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use tabiya_board::GameHistory;
use tabiya_engine::{Engine, Limits, SearchEvent, StopSignal};
use tabiya_notation::uci::SearchInfo;

/// After so long there is little to be gained, and a battery to be lost.
const LONGEST: Duration = Duration::from_secs(120);

/// What to think about.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct AnalysisRequest {
    /// The position is the one at the end.
    pub(crate) line: GameHistory,
    /// How many of the best lines to find.
    pub(crate) lines: usize,
    /// How many positions to look at, or for as long as it is worth it.
    pub(crate) nodes: Option<u64>,
}

struct Job {
    number: u64,
    question: AnalysisRequest,
    signal: StopSignal,
}

enum AnalysisUpdate {
    Line(u64, SearchInfo),
    Done(u64),
}

/// The engine's thoughts about the position that it was last asked about. Nothing here waits for it.
pub(crate) struct AnalysisThread {
    jobs: Sender<Job>,
    reports: Receiver<AnalysisUpdate>,
    /// Ends what it is thinking about now.
    signal: StopSignal,
    number: u64,
    /// What it was asked last.
    asked: Option<AnalysisRequest>,
    /// The best lines, the best first.
    lines: Vec<SearchInfo>,
    is_done: bool,
}

impl AnalysisThread {
    pub(crate) fn new() -> std::io::Result<Self> {
        let (jobs, received) = mpsc::channel::<Job>();
        let (report, reports) = mpsc::channel();
        thread::Builder::new()
            .name("thinker".to_owned())
            .spawn(move || think(&received, &report))?;
        Ok(Self {
            jobs,
            reports,
            signal: StopSignal::default(),
            number: 0,
            asked: None,
            lines: Vec::new(),
            is_done: true,
        })
    }

    /// One that has thought already, for pictures.
    #[cfg(test)]
    pub(crate) fn with_lines(
        question: AnalysisRequest,
        lines: Vec<SearchInfo>,
    ) -> std::io::Result<Self> {
        let mut thinker = Self::new()?;
        thinker.asked = Some(question);
        thinker.lines = lines;
        Ok(thinker)
    }

    /// Thinks about this from now on. What it is thinking about already goes on.
    pub(crate) fn ask(&mut self, question: AnalysisRequest) {
        if self.asked.as_ref() == Some(&question) {
            return;
        }
        self.stop();
        self.asked = Some(question.clone());
        self.is_done = false;
        self.signal = StopSignal::default();
        let job = Job {
            number: self.number,
            question,
            signal: self.signal.clone(),
        };
        // Without a thread there is nobody to hear it, and nothing to show.
        self.is_done = self.jobs.send(job).is_err();
    }

    /// Stops thinking, and forgets what came of it.
    pub(crate) fn stop(&mut self) {
        self.signal.stop();
        self.number += 1;
        self.asked = None;
        self.is_done = true;
        self.lines.clear();
    }

    /// Hears what has been found out since the last time; whether there was something.
    pub(crate) fn listen(&mut self) -> bool {
        let mut has_news = false;
        while let Ok(report) = self.reports.try_recv() {
            match report {
                AnalysisUpdate::Line(number, info) if number == self.number => {
                    let at = info.multipv.saturating_sub(1);
                    match self.lines.get_mut(at) {
                        Some(line) => *line = info,
                        None => self.lines.push(info),
                    }
                }
                AnalysisUpdate::Done(number) if number == self.number => self.is_done = true,
                // That was about something else.
                AnalysisUpdate::Line(..) | AnalysisUpdate::Done(_) => continue,
            }
            has_news = true;
        }
        has_news
    }

    /// Whether nothing more is to be expected.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// What has been found so far, the best line first.
    pub(crate) fn lines(&self) -> &[SearchInfo] {
        &self.lines
    }
}

impl Drop for AnalysisThread {
    fn drop(&mut self) {
        self.signal.stop();
    }
}

fn think(jobs: &Receiver<Job>, reports: &Sender<AnalysisUpdate>) {
    let mut engine = Engine::default();
    while let Ok(mut job) = jobs.recv() {
        // Only the last question still matters.
        while let Ok(later) = jobs.try_recv() {
            job = later;
        }
        let number = job.number;
        let AnalysisRequest { line, lines, nodes } = job.question;
        engine.set_multipv(lines);
        let limits = Limits {
            nodes,
            time: Some(LONGEST),
            ..Limits::default()
        };
        engine.think_until(&line, &limits, &job.signal, &mut |news| {
            if let SearchEvent::Info(info) = news {
                // Nobody listens at the end of the program.
                let _ = reports.send(AnalysisUpdate::Line(number, info.clone()));
            }
        });
        let _ = reports.send(AnalysisUpdate::Done(number));
    }
}
