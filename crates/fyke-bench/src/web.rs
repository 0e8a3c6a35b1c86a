//! The generated web in a process of its own, so that its CPU time is not the crawl's.

use super::{machine, program};
use anyhow::{Context as _, anyhow};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Which plain web.
#[derive(Clone, Debug)]
pub(crate) struct WebShape {
    pub hosts: u64,
    pub pages: u64,
    /// The gap that the judge wants.
    pub floor: Duration,
    /// A host that answers one byte a second.
    pub drip: Option<String>,
    /// The core that the crawl has for itself.
    pub pin: Option<usize>,
}

/// A server that ends with this value.
#[derive(Debug)]
pub(crate) struct Web {
    child: Child,
    pub address: SocketAddr,
    /// Where a crawl begins.
    pub seeds: Vec<String>,
    /// Where each host is, of the pond.
    pub hosts: Vec<(String, SocketAddr)>,
    /// What it took to get ready.
    start: Duration,
}

impl Drop for Web {
    fn drop(&mut self) {
        // It may have ended already; there is nobody to tell.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Web {
    /// Starts the server and waits until it answers.
    pub(crate) fn start(shape: &WebShape) -> anyhow::Result<Web> {
        let mut command = program()?;
        command.args(["pond", "--plain", "--json", "--until-eof", "--port", "0"]);
        for (option, number) in [
            ("--hosts", shape.hosts),
            ("--pages", shape.pages),
            ("--floor", shape.floor.as_millis() as u64),
        ] {
            command.args([option, &number.to_string()]);
        }
        if let Some(host) = &shape.drip {
            command.args(["--drip", host]);
        }
        Web::spawn(command, shape.pin)
    }

    /// Starts the pond of this seed, with every hazard.
    pub(crate) fn start_pond(seed: u64, floor_ms: u64) -> anyhow::Result<Web> {
        let mut command = program()?;
        command.args(["pond", "--json", "--port", "0", "--seed", &seed.to_string()]);
        command.args(["--floor", &floor_ms.to_string()]);
        Web::spawn(command, None)
    }

    /// Starts a server of the pages in a folder.
    pub(crate) fn start_folder(folder: &Path, pin: Option<usize>) -> anyhow::Result<Web> {
        let mut command = program()?;
        command.args(["pond", "--json", "--until-eof", "--port", "0", "--folder"]).arg(folder);
        Web::spawn(command, pin)
    }

    fn spawn(mut command: Command, pin: Option<usize>) -> anyhow::Result<Web> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let child = child.context("cannot start the server of the generated web")?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let mut web =
            Web { child, address, seeds: Vec::new(), hosts: Vec::new(), start: Duration::ZERO };
        if let Some(core) = pin {
            machine::bind(usize::from(core == 0), web.child.id())?;
        }
        let port = web.port()?;
        web.address.set_port(port);
        web.start = web.cpu_time()?;
        Ok(web)
    }

    /// Reads what the server says when it is ready.
    fn port(&mut self) -> anyhow::Result<u16> {
        let output = self.child.stdout.take().context("the server has no output")?;
        let mut said = String::new();
        for line in BufReader::new(output).lines() {
            let line = line.context("the server of the generated web is gone")?;
            said.push_str(&line);
            if line == "}" {
                break;
            }
        }
        let said: Value = serde_json::from_str(&said).context("the server did not start")?;
        let seeds = said["seeds"].as_array().into_iter().flatten();
        self.seeds = seeds.filter_map(|seed| Some(seed.as_str()?.to_owned())).collect();
        let hosts = said["hosts"].as_object().into_iter().flatten();
        let address = |at: &Value| at.as_str()?.parse().ok();
        self.hosts = hosts.filter_map(|(host, at)| Some((host.clone(), address(at)?))).collect();
        let port = said["port"].as_u64().and_then(|port| u16::try_from(port).ok());
        port.ok_or_else(|| anyhow!("the server named no port: {said}"))
    }

    /// What the judge has counted, in sum.
    pub(crate) fn judged(&self) -> anyhow::Result<Value> {
        let mut socket = TcpStream::connect(self.address).context("the server is gone")?;
        socket.set_read_timeout(Some(Duration::from_secs(10)))?;
        socket.write_all(b"GET /__pond/stats HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).context("the server does not answer")?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let mut stats: Value = serde_json::from_str(body).context("the server's counts")?;
        Ok(stats["sum"].take())
    }

    /// The server's own CPU time since it was ready.
    pub(crate) fn cpu_time(&self) -> anyhow::Result<Duration> {
        Ok(machine::cpu_time(&self.child.id().to_string())?.saturating_sub(self.start))
    }
}
