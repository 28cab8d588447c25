//! The files of self-play.

use tabiya_selfplay::blocks::{Block, read_header, write_header};
use tabiya_selfplay::{ScoreAdjudication, TrainingRecord, check_block, replay, sample};

/// Reads any bytes as each kind of file, and as the content of one with the right checksum. Checks that what is read
/// survives a round trip, and that a replay ends.
pub fn check_selfplay(bytes: &[u8]) {
    if let Ok(settings) = read_header(&mut &bytes[..]) {
        assert_eq!(write_header(&settings)[..], bytes[..64]);
    }
    check_sample(bytes);
    check_sample(&with_header(bytes));
    check_one_block(bytes);
    if let Some(block) = with_checksum(bytes) {
        check_one_block(&block);
    }
    for record in bytes.chunks_exact(TrainingRecord::BYTES) {
        check_record(
            record
                .try_into()
                .expect("the chunk has the size of a record"),
        );
    }
}

fn check_sample(bytes: &[u8]) {
    let Ok(games) = sample::read(bytes) else {
        return;
    };
    assert_eq!(sample::write(&games), bytes);
    for game in games {
        if let Ok(line) = replay(&game, None) {
            assert_eq!(line.played().len(), game.plies());
        }
    }
}

/// Bytes as the games of a sample.
fn with_header(games: &[u8]) -> Vec<u8> {
    let mut bytes = sample::write(&[]);
    bytes[12..16].copy_from_slice(&crc32fast::hash(games).to_le_bytes());
    bytes[16..24].copy_from_slice(&(games.len() as u64).to_le_bytes());
    bytes.extend(games);
    bytes
}

fn check_one_block(bytes: &[u8]) {
    let Ok((block, length)) = Block::from_bytes(bytes, 0) else {
        return;
    };
    assert_eq!(block.to_bytes(), bytes[..length]);
    if check_block(&block, ScoreAdjudication::default()).is_ok() {
        for record in &block.records {
            assert!(record.check().is_ok());
        }
    }
}

/// Bytes as a block with the right checksum, if there are enough of them.
fn with_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    let count = u16::from_le_bytes(bytes.get(20..22)?.try_into().ok()?);
    let mut block = bytes
        .get(..64 + TrainingRecord::BYTES * usize::from(count))?
        .to_vec();
    block[16..20].fill(0);
    let checksum = crc32fast::hash(&block);
    block[16..20].copy_from_slice(&checksum.to_le_bytes());
    Some(block)
}

fn check_record(bytes: &[u8; TrainingRecord::BYTES]) {
    let record = TrainingRecord::from_bytes(bytes);
    assert_eq!(&record.to_bytes(), bytes);
    let Ok(board) = record.check() else {
        return;
    };
    let mv = record
        .best_move()
        .on(&board)
        .expect("the record was checked");
    let result = record.result().expect("the record was checked");
    let again = TrainingRecord::new(&board, mv, record.score, record.ply, result);
    // One bit of the flags is unused.
    assert_eq!(again.to_bytes()[..31], bytes[..31]);
    assert_eq!(again.flags, record.flags & 0xf7);
}
