//! A made browser: it speaks the DevTools protocol well, or as badly as a test wants.

use data_encoding::BASE64;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// How it behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Good,
    /// It takes connections and says nothing.
    Silent,
    /// It says where it is to be spoken to in words that are none.
    Mumbling,
    /// It never answers a word.
    Deaf,
    /// It shows a page and then says nothing of it.
    Stuck,
    /// It ends the connection when a page is to be shown.
    Dying,
    /// It answers with bytes.
    Bytes,
    /// It answers with text that is no message.
    Babbling,
    /// It answers with a frame that breaks the protocol.
    Broken,
    /// It tells of things without end.
    Flooding,
    /// It answers with one message that is too large.
    Huge,
    /// It asks for parts without end.
    Asking,
    /// It says that it cannot.
    Refusing,
}

/// A browser that is running.
pub struct MadeBrowser {
    pub address: SocketAddr,
    pub said: Arc<Mutex<Vec<(String, Value)>>>,
    task: JoinHandle<()>,
}

impl Drop for MadeBrowser {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the browser's page asks for, by number: the kind, the method and the URL.
pub const PARTS: [(&str, &str, &str); 6] = [
    ("Script", "GET", "http://a.test/app.js"),
    ("Fetch", "POST", "http://a.test/order"),
    ("Image", "GET", "http://a.test/pixel.gif"),
    ("Script", "GET", "http://b.test/tracker.js"),
    ("XHR", "GET", "http://a.test/secret/data.json"),
    ("Document", "GET", "http://a.test/elsewhere"),
];

impl MadeBrowser {
    pub async fn start(manner: Manner) -> MadeBrowser {
        MadeBrowser::start_at("127.0.0.1:0".parse().expect("it works"), manner).await
    }

    pub async fn start_at(address: SocketAddr, manner: Manner) -> MadeBrowser {
        let listener = TcpListener::bind(address).await.expect("it works");
        let (address, said) = (listener.local_addr().expect("it works"), Arc::default());
        let log = Arc::clone(&said);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, manner, Arc::clone(&log)));
            }
        });
        MadeBrowser { address, said, task }
    }

    /// The words that were said to it, by name.
    pub fn words(&self, method: &str) -> Vec<Value> {
        let said = self.said.lock().expect("it works");
        said.iter().filter(|(name, _)| name == method).map(|(_, params)| params.clone()).collect()
    }
}

async fn converse(mut stream: TcpStream, manner: Manner, log: Arc<Mutex<Vec<(String, Value)>>>) {
    let mut head = [0; 16];
    if manner == Manner::Silent {
        return tokio::time::sleep(Duration::from_secs(60)).await;
    }
    let read = stream.peek(&mut head).await.unwrap_or(0);
    if head[..read].starts_with(b"GET /json") {
        let mut asked = [0; 1024];
        let _ = stream.read(&mut asked).await;
        let address = stream.local_addr().expect("it works");
        let body = match manner {
            Manner::Mumbling => "<html>Welcome to this printer</html>".to_owned(),
            _ => {
                json!({ "webSocketDebuggerUrl": format!("ws://{address}/devtools/1") }).to_string()
            }
        };
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let _ = stream.write_all(answer.as_bytes()).await;
        return;
    }
    if let Ok(socket) = tokio_tungstenite::accept_async(stream).await {
        let (url, script) = (String::new(), String::new());
        let mut page = MadePage { socket, manner, log, url, answered: BTreeSet::new(), script };
        while let Some(Ok(Message::Text(word))) = page.socket.next().await {
            if page.hear(&word).await.is_none() {
                return;
            }
        }
    }
}

struct MadePage {
    socket: WebSocketStream<TcpStream>,
    manner: Manner,
    log: Arc<Mutex<Vec<(String, Value)>>>,
    url: String,
    answered: BTreeSet<String>,
    script: String,
}

impl MadePage {
    async fn send(&mut self, word: Value) -> Option<()> {
        self.socket.send(Message::text(word.to_string())).await.ok()
    }

    async fn tell(&mut self, method: &str, params: Value) -> Option<()> {
        self.send(json!({ "method": method, "sessionId": "S", "params": params })).await
    }

    /// Takes in one word; none when the conversation is over.
    async fn hear(&mut self, word: &str) -> Option<()> {
        let word: Value = serde_json::from_str(word).ok()?;
        let (method, params) = (word["method"].as_str()?.to_owned(), word["params"].clone());
        self.log.lock().expect("it works").push((method.clone(), params.clone()));
        if method == "Page.navigate" {
            self.misbehave().await?;
        }
        let result = match method.as_str() {
            _ if self.manner == Manner::Deaf => return Some(()),
            "Page.createIsolatedWorld" if self.manner == Manner::Stuck => return Some(()),
            "Target.createTarget" if self.manner == Manner::Refusing => {
                return self.send(json!({ "id": word["id"], "error": { "message": "no" } })).await;
            }
            "Target.createBrowserContext" => json!({ "browserContextId": "C" }),
            "Target.createTarget" => json!({ "targetId": "T" }),
            "Target.attachToTarget" => json!({ "sessionId": "S" }),
            "Page.createIsolatedWorld" => json!({ "executionContextId": 7 }),
            "Runtime.evaluate" => json!({ "result": { "type": "string", "value": self.shown() } }),
            _ => json!({}),
        };
        self.send(json!({ "id": word["id"], "sessionId": "S", "result": result })).await?;
        self.go_on(&method, &params).await
    }

    fn shown(&self) -> String {
        let (url, script) = (&self.url, &self.script);
        format!(
            "<!doctype html><html><head><title>Made of {url}</title></head><body><main><p>A text that the \
             script {script} wrote about nets and tides, for those who fish with them at {url}.</p>\
             <a href=/made>made</a></main></body></html>"
        )
    }

    async fn go_on(&mut self, method: &str, params: &Value) -> Option<()> {
        match method {
            "Page.navigate" => {
                self.url = params["url"].as_str()?.to_owned();
                let url = self.url.clone();
                self.ask("page", ("Document", "GET", &url)).await
            }
            "Fetch.fulfillRequest" | "Fetch.failRequest" => {
                let id = params["requestId"].as_str()?.to_owned();
                if id == "page" {
                    for (n, part) in PARTS.into_iter().enumerate() {
                        self.ask(&n.to_string(), part).await?;
                    }
                    return Some(());
                }
                if id == "0" && method == "Fetch.fulfillRequest" {
                    let body = BASE64.decode(params["body"].as_str()?.as_bytes()).ok()?;
                    self.script = String::from_utf8(body).ok()?.trim().to_owned();
                }
                self.answered.insert(id);
                if self.manner == Manner::Asking {
                    let n = self.answered.len() + PARTS.len();
                    let url = format!("http://a.test/more/{n}");
                    return self.ask(&n.to_string(), ("Fetch", "GET", &url)).await;
                }
                if self.answered.len() == PARTS.len() {
                    self.tell("Emulation.virtualTimeBudgetExpired", json!({})).await?;
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    async fn ask(&mut self, id: &str, (kind, method, url): (&str, &str, &str)) -> Option<()> {
        let request = json!({ "url": url, "method": method, "headers": {} });
        let said = json!({
            "requestId": id, "frameId": "T", "resourceType": kind, "request": request,
        });
        self.tell("Fetch.requestPaused", said).await
    }

    async fn misbehave(&mut self) -> Option<()> {
        match self.manner {
            Manner::Dying => None,
            Manner::Bytes => self.socket.send(Message::binary(vec![0xff; 64])).await.ok(),
            Manner::Babbling => self.socket.send(Message::text("}{ nonsense")).await.ok(),
            Manner::Broken => {
                // A frame with reserved bits and an opcode that there is none of.
                self.socket.get_mut().write_all(&[0xff, 0x7f, 0, 1, 2, 3]).await.ok()
            }
            Manner::Flooding => loop {
                self.tell("Page.frameNavigated", json!({ "frame": { "id": "T" } })).await?;
            },
            Manner::Huge => self.tell("Page.big", json!("x".repeat(100 << 20))).await,
            _ => Some(()),
        }
    }
}
