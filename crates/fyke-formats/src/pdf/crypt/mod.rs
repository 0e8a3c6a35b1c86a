//! The standard security handler with the empty user password (ISO 32000-1 §7.6, ISO 32000-2
//! §7.6.4): many files are encrypted only to forbid printing, and open without a password. RC4 and
//! AES.

mod ciphers;
mod key;

#[cfg(test)]
pub(super) use sealing::{seal, user_entry};

use super::file::PdfFile;
use super::fuel::Fuel;
use super::object::{Dict, Object, ObjectId, PdfStream};
use md5::{Digest, Md5};
use std::borrow::Cow;
use std::rc::Rc;

/// Objects inside each other in which strings are decrypted.
const DEEPEST: usize = 40;

/// How strings or streams are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CryptMethod {
    Identity,
    Rc4,
    Aes128,
    Aes256,
    Unknown,
}

/// A file's key and methods.
#[derive(Debug)]
pub(super) struct Cipher {
    /// `None`: the empty password does not open the file.
    key: Option<Vec<u8>>,
    strings: CryptMethod,
    streams: CryptMethod,
    metadata: bool,
}

impl Cipher {
    pub(super) fn new(file: &PdfFile, dict: &Dict, trailer: &Dict) -> Self {
        let version = file.get(dict, "V").integer().unwrap_or(0);
        let method = |which: &str| match version {
            1..=3 => CryptMethod::Rc4,
            4 | 5 => crypt_filter(file, dict, which),
            _ => CryptMethod::Unknown,
        };
        let metadata = file.get(dict, "EncryptMetadata") != Object::Bool(false);
        let key = key::derive(file, dict, trailer, metadata);
        Self { key, strings: method("StrF"), streams: method("StmF"), metadata }
    }

    /// Why nothing can be read, if so.
    pub(super) fn refusal(&self) -> Option<&'static str> {
        if self.streams == CryptMethod::Unknown || self.strings == CryptMethod::Unknown {
            return Some("encrypted in a way that is not known");
        }
        self.key.is_none().then_some("encrypted: a password is needed")
    }

    /// The bytes of a stream, decrypted.
    pub(super) fn stream<'a>(
        &self,
        bytes: &'a [u8],
        stream: &PdfStream,
        fuel: &Fuel,
    ) -> Cow<'a, [u8]> {
        if !self.metadata && stream.dict.is("Metadata") {
            return Cow::Borrowed(bytes);
        }
        self.decrypt(bytes, self.streams, stream.id, fuel)
    }

    /// `object` with every string in it decrypted.
    pub(super) fn strings(&self, object: Object, id: ObjectId, fuel: &Fuel) -> Object {
        self.walk(object, id, fuel, 0)
    }

    fn walk(&self, object: Object, id: ObjectId, fuel: &Fuel, depth: usize) -> Object {
        if depth > DEEPEST {
            return Object::Null;
        }
        let inner = |object: &Object| self.walk(object.clone(), id, fuel, depth + 1);
        match object {
            Object::Text(text) => {
                Object::Text(self.decrypt(&text, self.strings, id, fuel).as_ref().into())
            }
            Object::Array(members) => Object::Array(Rc::new(members.iter().map(inner).collect())),
            Object::Dict(dict) => {
                let mut plain = Dict::default();
                for (key, value) in dict.iter() {
                    plain.insert(Rc::clone(key), inner(value));
                }
                Object::Dict(Rc::new(plain))
            }
            other => other,
        }
    }

    fn decrypt<'a>(
        &self,
        bytes: &'a [u8],
        method: CryptMethod,
        id: ObjectId,
        fuel: &Fuel,
    ) -> Cow<'a, [u8]> {
        let Some(key) = self.key.as_deref() else { return Cow::Borrowed(bytes) };
        if !fuel.spend(1 + bytes.len() / 2) {
            return Cow::Borrowed(&[]);
        }
        match method {
            CryptMethod::Identity | CryptMethod::Unknown => Cow::Borrowed(bytes),
            CryptMethod::Rc4 => Cow::Owned(ciphers::rc4(&object_key(key, id, b""), bytes)),
            CryptMethod::Aes128 => {
                Cow::Owned(ciphers::unchain(&object_key(key, id, b"sAlT"), bytes))
            }
            CryptMethod::Aes256 => Cow::Owned(ciphers::unchain(key, bytes)),
        }
    }
}

/// The method of the crypt filter that `which` (`StmF`, `StrF`) names.
fn crypt_filter(file: &PdfFile, dict: &Dict, which: &str) -> CryptMethod {
    let name = file.get(dict, which);
    let Some(name) = name.name().filter(|name| *name != b"Identity") else {
        return CryptMethod::Identity;
    };
    let filters = file.get(dict, "CF");
    let filter = filters.dict().map(|filters| file.resolve(filters.entry(name)));
    let filter = filter.unwrap_or_default();
    let method = filter.dict().map(|filter| file.get(filter, "CFM")).unwrap_or_default();
    match method.name() {
        Some(b"V2") => CryptMethod::Rc4,
        Some(b"AESV2") => CryptMethod::Aes128,
        Some(b"AESV3") => CryptMethod::Aes256,
        Some(b"None") | None => CryptMethod::Identity,
        Some(_) => CryptMethod::Unknown,
    }
}

/// The file's key mixed with the object's number (algorithm 1).
fn object_key(key: &[u8], ObjectId { number, generation }: ObjectId, salt: &[u8]) -> Vec<u8> {
    let number = number.to_le_bytes();
    let mixed = [key, &number[..3], &generation.to_le_bytes(), salt].concat();
    Md5::digest(&mixed)[..(key.len() + 5).min(16)].to_vec()
}

/// What a writer does, for tests: 40 bits, owner entry `owner`, rights −4, identifier `id`.
#[cfg(test)]
mod sealing {
    use super::ObjectId;
    use super::{ciphers, key, object_key};
    use md5::{Digest, Md5};

    fn key_of_tests() -> Vec<u8> {
        let seed = [&key::PADDING[..], b"owner", &(-4i32).to_le_bytes(), b"id"].concat();
        Md5::digest(&seed)[..5].to_vec()
    }

    pub(in super::super) fn seal(bytes: &[u8], number: u32) -> Vec<u8> {
        ciphers::rc4(&object_key(&key_of_tests(), ObjectId { number, generation: 0 }, b""), bytes)
    }

    pub(in super::super) fn user_entry() -> Vec<u8> {
        ciphers::rc4(&key_of_tests(), &key::PADDING)
    }
}
