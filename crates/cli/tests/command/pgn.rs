//! `tabiya pgn`.

mod check;
mod fix;
mod hostile;
mod show;
mod stats;
#[cfg(unix)]
mod view;

/// Three games; the second has an illegal move in line 17.
const GAMES: &str = r#"[Event "London"]
[Date "1851.06.21"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 1-0

[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6
3. d4 Bg4
4. dxe5 Bxf3 5. Qxf4 1-0

[Event "New York"]
[Date "1857.??.??"]
[White "Paulsen"]
[Black "Morphy"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Nc3 Nf6 (3... Bc5 4. Bb5) 1/2-1/2
"#;
