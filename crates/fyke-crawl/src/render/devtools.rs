//! The browser's DevTools protocol over a websocket: words to it, and what it says, within bounds. Nothing that it says is
//! believed: a message is read into the few fields that are known here, and too many or too large ones end the page.

use futures_util::{SinkExt, StreamExt};
use fyke_store::RenderEnd;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};

/// For the browser to take a connection, and to answer one word.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of the answer that says where the browser is to be spoken to.
const VERSION_BYTES: u64 = 64 << 10;
/// Messages of one page, and bytes of them beyond those of the page itself.
const MOST_MESSAGES: u32 = 20_000;
const MOST_BYTES: usize = 32 << 20;

/// Why there is no rendered page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RenderTrouble {
    pub(super) end: RenderEnd,
    pub(super) what: String,
}

impl RenderTrouble {
    pub(super) fn new(end: RenderEnd, what: impl Into<String>) -> RenderTrouble {
        RenderTrouble { end, what: what.into() }
    }
}

/// What the browser says: the answer to a word, or an event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct BrowserWord {
    pub(super) id: u64,
    pub(super) method: String,
    pub(super) session_id: String,
    pub(super) params: EventSaid,
    pub(super) result: AnswerSaid,
    pub(super) error: Option<ErrorSaid>,
}

/// What is known here of events.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct EventSaid {
    pub(super) request_id: String,
    pub(super) frame_id: String,
    pub(super) resource_type: String,
    pub(super) request: RequestSaid,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct RequestSaid {
    pub(super) url: String,
    pub(super) method: String,
    pub(super) headers: HeadersSaid,
}

/// Headers that say that a request is made in advance: each spelling for itself, as a request may have several.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HeadersSaid {
    #[serde(rename = "Sec-Purpose")]
    sec: Option<IgnoredAny>,
    #[serde(rename = "sec-purpose")]
    small_sec: Option<IgnoredAny>,
    #[serde(rename = "Purpose")]
    plain: Option<IgnoredAny>,
    #[serde(rename = "purpose")]
    small_plain: Option<IgnoredAny>,
}

impl HeadersSaid {
    /// Whether one of them is there.
    pub(super) fn are_early(&self) -> bool {
        let spellings = [&self.sec, &self.small_sec, &self.plain, &self.small_plain];
        spellings.iter().any(|spelling| spelling.is_some())
    }
}

/// What is known here of answers.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AnswerSaid {
    pub(super) browser_context_id: String,
    pub(super) target_id: String,
    pub(super) session_id: String,
    pub(super) execution_context_id: i64,
    pub(super) error_text: String,
    pub(super) result: ValueSaid,
    pub(super) exception_details: Option<IgnoredAny>,
}

/// A value of a script.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ValueSaid {
    pub(super) value: Option<TextSaid>,
}

/// A text, or something else.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum TextSaid {
    Text(String),
    Other(IgnoredAny),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorSaid {
    pub(super) message: String,
}

/// Reads one message; in words, why it is none.
pub(super) fn read_word(text: &str) -> Result<BrowserWord, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A conversation with the browser about one page.
pub(super) struct DevTools {
    socket: WebSocketStream<TcpStream>,
    /// Of the page, once there is one.
    pub(super) session: String,
    /// Up to when all of it has to end.
    until: Instant,
    next: u64,
    messages: u32,
    bytes: usize,
    most_bytes: usize,
    /// Events that came while an answer was waited for.
    waiting: VecDeque<BrowserWord>,
}

impl DevTools {
    /// Finds the browser and opens a conversation in which one page of up to `page_bytes` may be told.
    pub(super) async fn open(
        browser: &str,
        until: Instant,
        page_bytes: usize,
    ) -> Result<DevTools, RenderTrouble> {
        let soon = until.min(Instant::now() + PATIENCE);
        let path = within(soon, version(browser)).await??;
        let stream =
            within(soon, TcpStream::connect(browser)).await?.map_err(|error| absent(&error))?;
        // What is not ASCII may stand there in six letters, which few pages are made of.
        let most_bytes = page_bytes.saturating_mul(3).saturating_add(MOST_BYTES);
        let config = WebSocketConfig::default()
            .max_message_size(Some(most_bytes))
            .max_frame_size(Some(most_bytes));
        let address = format!("ws://{browser}{path}");
        let shake = tokio_tungstenite::client_async_with_config(address, stream, Some(config));
        let (socket, _) = within(soon, shake).await?.map_err(|error| broken(&error))?;
        Ok(DevTools {
            socket,
            session: String::new(),
            until,
            next: 1,
            messages: 0,
            bytes: 0,
            most_bytes,
            waiting: VecDeque::new(),
        })
    }

    /// Says a word and waits for nothing; returns its number. `method` of the page's session, or, where there is none yet, of
    /// the browser.
    pub(super) async fn say(&mut self, method: &str, params: Value) -> Result<u64, RenderTrouble> {
        let id = self.next;
        self.next += 1;
        let mut word = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            word["sessionId"] = Value::String(self.session.clone());
        }
        let soon = self.until.min(Instant::now() + PATIENCE);
        within(soon, self.socket.send(Message::text(word.to_string())))
            .await?
            .map_err(|error| broken(&error))?;
        Ok(id)
    }

    /// Says a word and waits for its answer.
    pub(super) async fn ask(
        &mut self,
        method: &str,
        params: Value,
    ) -> Result<AnswerSaid, RenderTrouble> {
        let id = self.say(method, params).await?;
        let soon = self.until.min(Instant::now() + PATIENCE);
        loop {
            let word = within(soon, self.hear()).await??;
            match (word.id == id, word.error) {
                (true, None) => return Ok(word.result),
                (true, Some(error)) => {
                    let what = format!("{method}: {}", error.message);
                    return Err(RenderTrouble::new(RenderEnd::Refused, what));
                }
                (false, error) => self.waiting.push_back(BrowserWord { error, ..word }),
            }
        }
    }

    /// What the browser says next. May be given up and called again.
    pub(super) async fn next(&mut self) -> Result<BrowserWord, RenderTrouble> {
        match self.waiting.pop_front() {
            Some(word) => Ok(word),
            None => self.hear().await,
        }
    }

    async fn hear(&mut self) -> Result<BrowserWord, RenderTrouble> {
        loop {
            let message = self.socket.next().await;
            let gone = || RenderTrouble::new(RenderEnd::Gone, "it closed the connection");
            let message = message.ok_or_else(gone)?.map_err(|error| broken(&error))?;
            self.messages += 1;
            self.bytes += message.len();
            if self.messages > MOST_MESSAGES || self.bytes > self.most_bytes {
                let what = format!("{} messages, {} bytes", self.messages, self.bytes);
                return Err(RenderTrouble::new(RenderEnd::Flood, what));
            }
            match message {
                Message::Text(text) => {
                    let word = read_word(text.as_str());
                    return word.map_err(|what| RenderTrouble::new(RenderEnd::Nonsense, what));
                }
                Message::Binary(_) => {
                    let what = "it sent bytes where text was due";
                    return Err(RenderTrouble::new(RenderEnd::Nonsense, what));
                }
                Message::Close(_) => return Err(gone()),
                _ => {}
            }
        }
    }
}

/// Asks the browser where it is to be spoken to: the path of its websocket.
async fn version(browser: &str) -> Result<String, RenderTrouble> {
    let mut stream = TcpStream::connect(browser).await.map_err(|error| absent(&error))?;
    let asked = format!(
        "GET /json/version HTTP/1.1\r\nHost: {browser}\r\nConnection: close\r\nAccept: */*\r\n\r\n"
    );
    stream.write_all(asked.as_bytes()).await.map_err(|error| absent(&error))?;
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    // It may leave the connection open: what is enough is enough.
    let path = loop {
        let read = stream.read(&mut chunk).await.map_err(|error| absent(&error))?;
        answer.extend_from_slice(&chunk[..read]);
        match path_of(&answer) {
            Some(path) => break path,
            None if read == 0 || answer.len() as u64 > VERSION_BYTES => {
                let what = "it does not say where its websocket is";
                return Err(RenderTrouble::new(RenderEnd::Nonsense, what));
            }
            None => {}
        }
    };
    Ok(path)
}

/// The path of the browser's websocket in its answer, once that is there.
fn path_of(answer: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(answer);
    let (_, after) = text.split_once("\"webSocketDebuggerUrl\"")?;
    let mut quoted = after.split('"');
    let (_, url, _) = (quoted.next()?, quoted.next()?, quoted.next()?);
    let (_, path) = url.strip_prefix("ws://")?.split_once('/')?;
    let is_plain = path.bytes().all(|b| b.is_ascii_graphic());
    is_plain.then(|| format!("/{path}"))
}

fn absent(error: &std::io::Error) -> RenderTrouble {
    RenderTrouble::new(RenderEnd::Absent, error.to_string())
}

fn broken(error: &SocketError) -> RenderTrouble {
    let end = match error {
        SocketError::Io(_) | SocketError::ConnectionClosed | SocketError::AlreadyClosed => {
            RenderEnd::Gone
        }
        SocketError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => RenderEnd::Gone,
        SocketError::Capacity(_) => RenderEnd::Flood,
        _ => RenderEnd::Nonsense,
    };
    RenderTrouble::new(end, error.to_string())
}

async fn within<T>(until: Instant, work: impl Future<Output = T>) -> Result<T, RenderTrouble> {
    let late = |_| RenderTrouble::new(RenderEnd::Silent, "it gave no answer in time");
    timeout_at(until, work).await.map_err(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_websocket_is_found_once_it_is_there() {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{ \"Browser\": \"x\",";
        let whole =
            format!("{head} \"webSocketDebuggerUrl\": \"ws://127.0.0.1:9222/devtools/b/1\" }}");
        let check = |answer: &str, path: Option<&str>| {
            assert_eq!(path_of(answer.as_bytes()).as_deref(), path, "{answer}");
        };
        check(&whole, Some("/devtools/b/1"));
        check(&whole[..whole.len() - 8], None);
        check(head, None);
        check("\"webSocketDebuggerUrl\": \"http://a.test/\"", None);
        check("\"webSocketDebuggerUrl\": \"ws://a.test/a b\"", None);
    }

    #[test]
    fn what_is_not_known_of_a_message_is_passed_over() {
        let word =
            r#"{"id":3,"result":{"result":{"type":"string","value":"<p>"},"more":[{"a":1}]}}"#;
        let word = read_word(word).unwrap();
        assert!(matches!(word.result.result.value, Some(TextSaid::Text(text)) if text == "<p>"));
        let word =
            read_word(r#"{"id":3,"result":{"result":{"type":"number","value":7}}}"#).unwrap();
        assert!(matches!(word.result.result.value, Some(TextSaid::Other(_))));
        for bad in ["", "nonsense", "{\"id\":\"x\"}", "{\"params\":3}"] {
            assert!(read_word(bad).is_err(), "{bad}");
        }
        assert!(read_word(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn a_request_in_advance_is_known_by_either_header_and_by_both() {
        let check = |headers: &str, expected: bool| {
            let word = format!(r#"{{"params":{{"request":{{"headers":{headers}}}}}}}"#);
            let headers = read_word(&word).unwrap().params.request.headers;
            assert_eq!(headers.are_early(), expected, "{word}");
        };
        check("{}", false);
        check(r#"{"Accept":"*/*"}"#, false);
        check(r#"{"Purpose":"prefetch"}"#, true);
        check(r#"{"sec-purpose":"prefetch"}"#, true);
        check(r#"{"Sec-Purpose":"prefetch","Purpose":"prefetch"}"#, true);
    }
}
