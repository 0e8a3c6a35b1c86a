//! TLS by rustls with the roots of the Mozilla programme; sessions are resumed.

use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// A connector that trusts the web's roots.
pub(crate) fn connector() -> TlsConnector {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider has the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

/// Shakes hands with `host` (a name or an address literal).
pub(crate) async fn handshake(
    connector: &TlsConnector,
    host: &str,
    stream: TcpStream,
) -> Result<TlsStream<TcpStream>, String> {
    let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(name).map_err(|e| e.to_string())?;
    connector.connect(name, stream).await.map_err(|e| e.to_string())
}
