//! A review as an SVG graph of White's winning chances.

use std::fmt::{self, Write};

use tabiya_board::Color;

use crate::judgement::Judgement;
use crate::review::{Review, ReviewedMove};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
/// The edges of the plot.
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 22.0;
const TOP: f64 = 78.0;
const BOTTOM: f64 = HEIGHT - 66.0;
/// The baseline of the legend.
const LEGEND: f64 = HEIGHT - 20.0;

/// The font size of labels, and the approximate width of a letter.
const LABEL: f64 = 12.0;
const LETTER: f64 = 7.0;

const PAPER: &str = "#1c1e22";
const INK: &str = "#d5d8dd";
const FAINT: &str = "#9aa1ab";
/// Black's and White's parts of the plot.
const DARK: &str = "#41464e";
const LIGHT: &str = "#ece9e2";

/// The colours of bad moves, distinct for colour-blind readers too. The shapes differ as well.
const fn color(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "#56b4e9",
        Judgement::Mistake => "#e69f00",
        Judgement::Blunder => "#d03b2f",
    }
}

const fn plural(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "Inaccuracies",
        Judgement::Mistake => "Mistakes",
        Judgement::Blunder => "Blunders",
    }
}

impl Review {
    /// Draws White's winning chances with the bad moves marked, as an SVG with a title.
    pub fn svg(&self, title: &str) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = Picture {
            review: self,
            percents: self.percents(),
        }
        .draw(&mut svg, &escaped(&short(title)));
        svg
    }
}

struct Picture<'a> {
    review: &'a Review,
    percents: Vec<f64>,
}

/// An occupied rectangle.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

impl Picture<'_> {
    /// The x coordinate of the position after a ply.
    fn x(&self, ply: usize) -> f64 {
        let plies = self.review.moves.len().max(1);
        LEFT + (RIGHT - LEFT) * ply as f64 / plies as f64
    }

    fn y(percent: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * percent / 100.0
    }

    fn draw(&self, svg: &mut String, title: &str) -> fmt::Result {
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"title description\">\n\
             <title id=\"title\">{title}</title>\n\
             <desc id=\"description\">{}</desc>\n\
             <style>text {{ font: {LABEL}px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: {FAINT} }}\n\
             .title {{ font-size: 17px; font-weight: bold; fill: {INK} }}\n\
             .label {{ fill: #ffffff }} .middle {{ text-anchor: middle }} .end {{ text-anchor: end }}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"{PAPER}\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"34\">{title}</text>\n\
             <text x=\"{LEFT}\" y=\"58\">{}</text>",
            escaped(&self.description()),
            escaped(&self.subtitle())
        )?;
        self.chances(svg)?;
        self.grid(svg)?;
        self.marks(svg)?;
        self.legend(svg)?;
        svg.write_str("</svg>\n")
    }

    fn subtitle(&self) -> String {
        let player = |color: Color| {
            let accuracy = self.review.summary(color).accuracy?;
            Some(format!("{color} {accuracy:.1} %"))
        };
        let players: Vec<String> = Color::ALL.into_iter().filter_map(player).collect();
        let mut subtitle = "White's winning chances after each move".to_owned();
        if !players.is_empty() {
            let _ = write!(subtitle, "  ·  Accuracy: {}", players.join(", "));
        }
        subtitle
    }

    /// The picture in words, for screen readers.
    fn description(&self) -> String {
        let mut words = self.subtitle();
        words.push('.');
        for color in Color::ALL {
            let summary = self.review.summary(color);
            let counts = Judgement::ALL.map(|judgement| {
                let count = summary.count(judgement);
                let name = match count {
                    1 => judgement.name(),
                    _ => plural(judgement),
                };
                format!("{count} {}", name.to_lowercase())
            });
            let _ = write!(words, " {color}: {}.", counts.join(", "));
        }
        words
    }

    /// Draws White's part of the plot, light, on Black's, dark.
    fn chances(&self, svg: &mut String) -> fmt::Result {
        let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
        writeln!(
            svg,
            "<clipPath id=\"plot\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/></clipPath>\n\
             <g clip-path=\"url(#plot)\">\n\
             <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\" fill=\"{DARK}\"/>"
        )?;
        let mut curve = String::new();
        for (ply, &percent) in self.percents.iter().enumerate() {
            write!(curve, " {:.1},{:.1}", self.x(ply), Self::y(percent))?;
        }
        if let [only] = self.percents[..] {
            write!(curve, " {RIGHT:.1},{:.1}", Self::y(only))?;
        }
        writeln!(
            svg,
            "<path d=\"M{LEFT},{BOTTOM} L{curve} L{RIGHT},{BOTTOM} Z\" fill=\"{LIGHT}\"/>\n</g>",
            curve = curve.trim_start()
        )
    }

    fn grid(&self, svg: &mut String) -> fmt::Result {
        for percent in [0, 25, 50, 75, 100] {
            let y = Self::y(f64::from(percent));
            // Half transparent, to be visible on both parts.
            let strength = if percent == 50 { 0.95 } else { 0.35 };
            if !matches!(percent, 0 | 100) {
                writeln!(
                    svg,
                    "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{RIGHT}\" y2=\"{y}\" stroke=\"#8a919b\" \
                     stroke-opacity=\"{strength}\"/>"
                )?;
            }
            writeln!(
                svg,
                "<text class=\"end\" x=\"{}\" y=\"{}\">{percent} %</text>",
                LEFT - 8.0,
                y + 4.0
            )?;
        }
        // About a dozen move numbers, at White's moves.
        let moves = &self.review.moves;
        let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
        let step = steps
            .into_iter()
            .find(|step| moves.len() / (2 * step) <= 14);
        let step = step.unwrap_or(1000);
        for (i, mv) in moves.iter().enumerate() {
            let number = usize::from(mv.board.fullmove_number());
            if mv.mover().is_white() && number % step == 0 {
                let x = self.x(i + 1);
                writeln!(
                    svg,
                    "<line x1=\"{x:.1}\" y1=\"{BOTTOM}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"{FAINT}\"/>\n\
                     <text class=\"middle\" x=\"{x:.1}\" y=\"{}\">{number}</text>",
                    BOTTOM + 5.0,
                    BOTTOM + 19.0
                )?;
            }
        }
        Ok(())
    }

    /// Marks the bad moves, and labels the worst where there is room.
    fn marks(&self, svg: &mut String) -> fmt::Result {
        const RADIUS: f64 = 7.0;
        let bad: Vec<(f64, f64, &ReviewedMove, Judgement)> = (1..)
            .zip(&self.review.moves)
            .filter_map(|(ply, mv)| {
                let judgement = mv.advice?.judgement;
                Some((self.x(ply), Self::y(self.percents[ply]), mv, judgement))
            })
            .collect();
        let mut taken: Vec<Area> = bad
            .iter()
            .map(|&(x, y, ..)| Area {
                left: x - RADIUS,
                top: y - RADIUS,
                right: x + RADIUS,
                bottom: y + RADIUS,
            })
            .collect();
        for &(x, y, mv, judgement) in &bad {
            write!(svg, "<g>")?;
            sign(svg, judgement, x, y)?;
            let remark = mv.remark().unwrap_or_default();
            writeln!(
                svg,
                "<title>{}</title></g>",
                escaped(&format!("{} {remark}", mv.name()))
            )?;
        }
        let mut worst = bad;
        worst.sort_by_key(|&(.., judgement)| std::cmp::Reverse(judgement));
        let named = worst
            .into_iter()
            .filter(|&(.., judgement)| judgement >= Judgement::Mistake);
        for (x, y, mv, _) in named {
            let name = mv.name();
            let width = name.chars().count() as f64 * LETTER + 10.0;
            let left = (x - width / 2.0).clamp(LEFT + 3.0, RIGHT - 3.0 - width);
            let places = [y - RADIUS - 23.0, y + RADIUS + 4.0];
            let free = places.into_iter().find_map(|top| {
                let area = Area {
                    left,
                    top,
                    right: left + width,
                    bottom: top + 19.0,
                };
                let is_free = !taken.iter().any(|other| area.meets(other));
                let is_inside = area.top > TOP + 2.0 && area.bottom < BOTTOM - 2.0;
                (is_free && is_inside).then_some(area)
            });
            let Some(area) = free else {
                continue;
            };
            taken.push(area);
            writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"19\" rx=\"4\" fill=\"{PAPER}\" \
                 fill-opacity=\"0.9\"/>\n\
                 <text class=\"label middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                area.top,
                left + width / 2.0,
                area.top + 13.5,
                escaped(&name)
            )?;
        }
        Ok(())
    }

    fn legend(&self, svg: &mut String) -> fmt::Result {
        let mut x = LEFT + 6.0;
        for judgement in Judgement::ALL {
            let [white, black] = [Color::White, Color::Black]
                .map(|color| self.review.summary(color).count(judgement));
            let text = format!("{}: White {white}, Black {black}", plural(judgement));
            sign(svg, judgement, x, LEGEND - 4.0)?;
            writeln!(svg, "<text x=\"{}\" y=\"{LEGEND}\">{text}</text>", x + 14.0)?;
            x += text.chars().count() as f64 * LETTER + 44.0;
        }
        Ok(())
    }
}

/// The sign of a bad move: a circle, a diamond or a triangle.
fn sign(svg: &mut String, judgement: Judgement, x: f64, y: f64) -> fmt::Result {
    let look = format!(
        "fill=\"{}\" stroke=\"{PAPER}\" stroke-width=\"1.5\"",
        color(judgement)
    );
    match judgement {
        Judgement::Inaccuracy => {
            write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" {look}/>")
        }
        Judgement::Mistake => write!(
            svg,
            "<path d=\"M{x:.1},{y:.1} m0,-7 l7,7 l-7,7 l-7,-7 Z\" {look}/>"
        ),
        Judgement::Blunder => write!(
            svg,
            "<path d=\"M{x:.1},{y:.1} m0,-8 l7.5,13 l-15,0 Z\" {look}/>"
        ),
    }
}

/// Cuts a title that is too long.
fn short(title: &str) -> String {
    const LETTERS: usize = 80;
    if title.chars().count() <= LETTERS {
        return title.to_owned();
    }
    let mut short: String = title.chars().take(LETTERS - 1).collect();
    short.push('…');
    short
}

/// Escapes text for XML, which allows no control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\u{fffe}' | '\u{ffff}' => {}
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
