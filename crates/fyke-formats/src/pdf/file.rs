//! A PDF file: finds its objects, resolves references, opens its streams. Every object is read
//! once; one that needs itself is null.

use super::crypt::Cipher;
use super::filter;
use super::font::Programs;
use super::fuel::Fuel;
use super::lexer::Lexer;
use super::object::{Dict, Object, PdfStream};
use super::xref::{self, ObjectPlace, Xref};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// References that lead to references.
const LONGEST_CHAIN: usize = 16;
/// Objects that need other objects to be read.
const DEEPEST: usize = 32;
/// Members of an array of numbers that are read.
const MOST_NUMBERS: usize = 8;

/// An object stream, unpacked: its bytes, and number and offset of each object in it.
type Bundle = (Vec<u8>, Vec<(u32, usize)>);

#[derive(Debug)]
pub(super) struct PdfFile<'a> {
    bytes: &'a [u8],
    xref: Xref,
    /// What a search through the file finds; made when the tables turn out wrong.
    scanned: OnceCell<Xref>,
    cipher: Option<Cipher>,
    objects: RefCell<HashMap<u32, Object>>,
    bundles: RefCell<HashMap<u32, Rc<Bundle>>>,
    pub(super) programs: Programs,
    depth: Cell<usize>,
    damaged: Cell<bool>,
    pub(super) fuel: &'a Fuel,
}

impl<'a> PdfFile<'a> {
    pub(super) fn open(bytes: &'a [u8], fuel: &'a Fuel) -> Self {
        let mut file = Self {
            bytes,
            xref: xref::read(bytes, fuel),
            scanned: OnceCell::new(),
            cipher: None,
            objects: RefCell::default(),
            bundles: RefCell::default(),
            programs: Programs::default(),
            depth: Cell::new(0),
            damaged: Cell::new(false),
            fuel,
        };
        if file.catalog().is_none() {
            file.repair();
        }
        let encrypt = file.get(&file.xref.trailer, "Encrypt");
        if let Some(dict) = encrypt.dict() {
            file.cipher = Some(Cipher::new(&file, dict, &file.xref.trailer));
            // What was read before the key was known was read wrongly.
            file.objects.borrow_mut().clear();
            file.bundles.borrow_mut().clear();
        }
        file
    }

    /// Takes what a search finds instead of the tables.
    fn repair(&mut self) {
        self.damaged.set(true);
        self.objects.borrow_mut().clear();
        self.bundles.borrow_mut().clear();
        self.xref = xref::scan(self.bytes, self.fuel);
        self.open_bundles();
        if self.catalog().is_none()
            && let Some(number) = self.find(|dict| dict.is("Catalog"))
        {
            self.xref.trailer.insert((*b"Root").into(), Object::Reference(number));
        }
    }

    /// The objects in object streams, and the trailers in cross-reference streams, of a file that
    /// was searched.
    fn open_bundles(&mut self) {
        for number in self.numbers() {
            let object = self.object(number);
            let Some(dict) = object.stream().map(|stream| &stream.dict) else { continue };
            if dict.is("XRef") {
                for key in ["Root", "Info", "Encrypt", "ID"] {
                    if self.xref.trailer.get(key).is_null() {
                        self.xref.trailer.insert(key.as_bytes().into(), dict.get(key).clone());
                    }
                }
            } else if dict.is("ObjStm") {
                let bundle = self.bundle(number);
                for (index, &(inner, _)) in
                    bundle.iter().flat_map(|bundle| bundle.1.iter().enumerate())
                {
                    let place = ObjectPlace::Bundled { stream: number, index };
                    self.xref.places.entry(inner).or_insert(place);
                }
            }
        }
        self.objects.borrow_mut().clear();
    }

    /// Numbers of all objects, ascending.
    fn numbers(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.xref.places.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    fn find(&self, wanted: impl Fn(&Dict) -> bool) -> Option<u32> {
        self.numbers().into_iter().find(|&number| {
            !self.fuel.is_spent() && self.object(number).dict().is_some_and(|dict| wanted(dict))
        })
    }

    /// All pages, in the order of their numbers: for files without a page tree.
    pub(super) fn stray_pages(&self) -> Vec<Object> {
        let objects = self.numbers().into_iter().map(|number| self.object(number));
        objects.filter(|object| object.dict().is_some_and(|dict| dict.is("Page"))).collect()
    }

    /// The root of everything, if it leads to pages.
    pub(super) fn catalog(&self) -> Option<Rc<Dict>> {
        let root = self.get(&self.xref.trailer, "Root");
        let dict = root.dict()?;
        self.get(dict, "Pages").dict()?;
        Some(Rc::clone(dict))
    }

    /// The document information dictionary.
    pub(super) fn information(&self) -> Object {
        self.get(&self.xref.trailer, "Info")
    }

    /// Why the text cannot be read: a cipher we lack, or a password.
    pub(super) fn locked(&self) -> Option<&'static str> {
        self.cipher.as_ref().and_then(Cipher::refusal)
    }

    /// Whether the tables were wrong.
    pub(super) fn is_damaged(&self) -> bool {
        self.damaged.get()
    }

    /// An entry of `dict` with references resolved.
    pub(super) fn get(&self, dict: &Dict, key: &str) -> Object {
        self.resolve(dict.get(key))
    }

    /// The first numbers of an array, references resolved: as many as a matrix or a rectangle has, and some.
    pub(super) fn numbers_of(&self, array: &Object) -> Vec<f32> {
        let members = array.array().iter().take(MOST_NUMBERS);
        members.filter_map(|member| self.resolve(member).number()).collect()
    }

    /// What `object` is when it is not a reference.
    pub(super) fn resolve(&self, object: &Object) -> Object {
        let mut object = object.clone();
        for _ in 0..LONGEST_CHAIN {
            let Object::Reference(number) = object else { return object };
            object = self.object(number);
        }
        Object::Null
    }

    fn object(&self, number: u32) -> Object {
        if let Some(known) = self.objects.borrow().get(&number) {
            return known.clone();
        }
        if self.depth.get() >= DEEPEST || !self.fuel.spend(1) {
            return Object::Null;
        }
        self.objects.borrow_mut().insert(number, Object::Null);
        self.depth.set(self.depth.get() + 1);
        let object = self.load(number).unwrap_or_default();
        self.depth.set(self.depth.get() - 1);
        self.objects.borrow_mut().insert(number, object.clone());
        object
    }

    fn load(&self, number: u32) -> Option<Object> {
        match *self.xref.places.get(&number)? {
            ObjectPlace::Free => None,
            ObjectPlace::Offset(at) => self.read(number, at).or_else(|| self.search(number)),
            ObjectPlace::Bundled { stream, index } => self.unbundle(number, stream, index),
        }
    }

    /// The object's place was wrong: looks for it in the whole file.
    fn search(&self, number: u32) -> Option<Object> {
        self.damaged.set(true);
        let scanned = self.scanned.get_or_init(|| xref::scan(self.bytes, self.fuel));
        let ObjectPlace::Offset(at) = *scanned.places.get(&number)? else { return None };
        self.read(number, at)
    }

    /// The object that begins at `at`, if it is the right one.
    fn read(&self, number: u32, at: usize) -> Option<Object> {
        let mut lexer = Lexer::new(self.bytes, at, self.fuel);
        let id = lexer.header().filter(|id| id.number == number)?;
        let object = lexer.object().unwrap_or_default();
        let object = match &self.cipher {
            Some(cipher) => cipher.strings(object, id, self.fuel),
            None => object,
        };
        let Object::Dict(dict) = &object else { return Some(object) };
        let Some(begin) = xref::stream_start(&mut lexer) else { return Some(object) };
        let begin = begin.min(self.bytes.len());
        let range = begin..self.stream_end(begin, dict);
        Some(Object::Stream(Rc::new(PdfStream { dict: Rc::clone(dict), range, id })))
    }

    /// Where a stream ends: where its length says, if `endstream` stands there, else before the
    /// next `endstream`.
    fn stream_end(&self, begin: usize, dict: &Dict) -> usize {
        let length = self.get(dict, "Length").count();
        let end = length.and_then(|length| begin.checked_add(length));
        if let Some(end) = end.filter(|&end| end <= self.bytes.len()) {
            let mut after = Lexer::new(self.bytes, end, self.fuel);
            after.skip();
            if after.rest().starts_with(b"endstream") || after.rest().starts_with(b"endobj") {
                return end;
            }
        }
        let rest = &self.bytes[begin..];
        let length = memchr::memmem::find(rest, b"endstream").unwrap_or(rest.len());
        self.fuel.search(length);
        begin + length
    }

    fn unbundle(&self, number: u32, stream: u32, index: usize) -> Option<Object> {
        let bundle = self.bundle(stream)?;
        let (bytes, members) = &*bundle;
        let right = |member: &&(u32, usize)| member.0 == number;
        let member = members.get(index).filter(right);
        let elsewhere = || members.iter().find(right).filter(|_| self.fuel.search(members.len()));
        let &(_, at) = member.or_else(elsewhere)?;
        Lexer::new(bytes, at, self.fuel).object()
    }

    fn bundle(&self, number: u32) -> Option<Rc<Bundle>> {
        if let Some(known) = self.bundles.borrow().get(&number) {
            return Some(Rc::clone(known));
        }
        // An object stream never stands in another one.
        if !matches!(self.xref.places.get(&number), Some(ObjectPlace::Offset(_))) {
            return None;
        }
        let object = self.object(number);
        let stream = object.stream()?;
        let bytes = self.unpack(stream);
        let first = self.get(&stream.dict, "First").count()?;
        let count = self.get(&stream.dict, "N").count()?;
        let mut members = Vec::new();
        let mut lexer = Lexer::new(&bytes, 0, self.fuel);
        for _ in 0..count {
            let (Some(number), Some(at)) = (lexer.whole(), lexer.whole()) else { break };
            let Ok(number) = u32::try_from(number) else { break };
            members.push((number, first.saturating_add(at)));
        }
        let bundle = Rc::new((bytes, members));
        self.bundles.borrow_mut().insert(number, Rc::clone(&bundle));
        Some(bundle)
    }

    /// The bytes of a stream, decrypted and unpacked as far as the limits allow; none for images.
    pub(super) fn unpack(&self, stream: &PdfStream) -> Vec<u8> {
        let packed = &self.bytes[stream.range.clone()];
        let resolve = |object: &Object| self.resolve(object);
        match &self.cipher {
            Some(cipher) if !stream.dict.is("XRef") => {
                let plain = cipher.stream(packed, stream, self.fuel);
                filter::unpack(&plain, &stream.dict, &resolve, self.fuel)
            }
            _ => filter::unpack(packed, &stream.dict, &resolve, self.fuel),
        }
    }
}
