//! TLS by rustls with the roots of the Mozilla programme and those the user adds. One session cache
//! serves all connections, so a host met again is greeted without its certificates; HTTP/2 is offered.

use rustls::client::Resumption;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Certificates trusted besides the web's own.
#[derive(Clone, Debug, Default)]
pub struct Roots(Vec<CertificateDer<'static>>);

/// Why a file of roots cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RootsError {
    #[error("the roots are not valid PEM ({0}): give BEGIN CERTIFICATE blocks")]
    Pem(String),
    #[error("there is no certificate among the roots: give BEGIN CERTIFICATE blocks")]
    Empty,
    #[error("certificate {0} of the roots cannot be used as a root: {1}")]
    Unusable(usize, String),
}

impl Roots {
    /// The certificates of a PEM file.
    ///
    /// # Errors
    /// When there is none, or one that cannot be a root.
    pub fn from_pem(pem: &[u8]) -> Result<Roots, RootsError> {
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let certificates = read.map_err(|error| RootsError::Pem(error.to_string()))?;
        let mut store = RootCertStore::empty();
        for (number, certificate) in certificates.iter().enumerate() {
            let unusable = |e: rustls::Error| RootsError::Unusable(number + 1, e.to_string());
            store.add(certificate.clone()).map_err(unusable)?;
        }
        if certificates.is_empty() { Err(RootsError::Empty) } else { Ok(Roots(certificates)) }
    }
}

/// What all TLS connections share.
pub(super) struct Tls(TlsConnector);

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Remembers the sessions of so many hosts.
    pub(super) fn new(extra: &Roots, sessions: usize) -> Tls {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(extra.0.iter().cloned());
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider has the default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        config.resumption = Resumption::in_memory_sessions(sessions);
        Tls(TlsConnector::from(Arc::new(config)))
    }

    /// Shakes hands with `host` (a name or an address literal).
    pub(super) async fn handshake(
        &self,
        host: &str,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, String> {
        let name = host.trim_start_matches('[').trim_end_matches([']', '.']).to_owned();
        let name = ServerName::try_from(name).map_err(|e| e.to_string())?;
        self.0.connect(name, stream).await.map_err(|error| complaint(&error))
    }
}

/// Whether the server chose HTTP/2.
pub(super) fn speaks_http2(stream: &TlsStream<TcpStream>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(b"h2")
}

/// What is wrong with the other side, in words that tell whose certificate to look at.
fn complaint(error: &std::io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let Some(rustls::Error::InvalidCertificate(certificate)) = inner else {
        return error.to_string();
    };
    let what = match certificate {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "is for another name"
        }
        CertificateError::UnknownIssuer => {
            "is self-signed, or comes from an issuer that is not trusted"
        }
        // An authority's own certificate, as tools make it by default when they are asked for a self-signed one.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "is self-signed"
        }
        CertificateError::Revoked => "was revoked",
        _ => "cannot be trusted",
    };
    let advice = match what.starts_with("is self-signed") {
        true => "; to trust it, put it into the file that `fetch.roots` names",
        false => "",
    };
    format!("the certificate {what} ({certificate}){advice}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_that_are_none_are_refused() {
        let check = |pem: &str, expected: &str| {
            let error = Roots::from_pem(pem.as_bytes()).expect_err(pem).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("", "no certificate");
        check("hello", "no certificate");
        check("-----BEGIN CERTIFICATE-----\n", "not valid PEM");
        let empty = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        check(empty, "certificate 1 of the roots");
    }
}
