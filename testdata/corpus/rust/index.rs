//! An index of small documents: words, where they stand, and how to ask for them.

#![allow(dead_code)]
#![warn(missing_docs)]

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fmt::{self, Display},
};

pub mod store;
mod words {
    //! Splits text.

    use super::Span;

    pub(super) fn split<'a>(text: &'a str) -> impl Iterator<Item = (Span, &'a str)> + 'a {
        fn is_word(c: char) -> bool {
            c.is_alphanumeric() || c == '_'
        }
        text.split(|c| !is_word(c)).map(|w| (Span::default(), w))
    }

    pub mod stop {
        pub const WORDS: [&str; 3] = ["and", "or", "не"];
    }
}

/// The longest word that is kept.
pub const MAX_WORD: usize = 64;
const _: () = assert!(MAX_WORD > 0);
static GREETING: &str = "hello";
pub static mut COUNTER: u32 = 0;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Where something stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    pub end: usize,
}

pub struct Marker;
pub(crate) struct Word<'a>(pub Cow<'a, str>, Span);

#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Nothing was asked.
    Empty,
    TooLong(usize),
    #[doc(hidden)]
    Syntax {
        at: Span,
        why: String,
    },
    Code = 7,
}

#[repr(C)]
union Bits {
    int: u32,
    float: f32,
}

/// What can be asked.
pub trait Query: Send {
    type Answer: Display;
    type Rows<'a>: Iterator<Item = &'a str>
    where
        Self: 'a;
    const COST: u32 = 1;

    /// Asks.
    fn ask(&self, of: &Index) -> Result<Self::Answer>;

    #[inline]
    fn cost(&self) -> u32 {
        Self::COST * 2
    }
}

#[derive(Default)]
pub struct Index<const N: usize = 16, S = std::hash::RandomState>
where
    S: Clone,
{
    postings: HashMap<String, Vec<Span>, S>,
    #[cfg(feature = "stats")]
    pub(crate) hits: [u32; N],
    names: BTreeMap<u32, Box<dyn Fn(&str) -> bool>>, // one each
}

impl<const N: usize, S: Clone> Index<N, S> {
    pub const EMPTY: usize = 0;

    /// A new one, with nothing in it.
    ///
    /// ```
    /// fn main() { let index = Index::new(); }
    /// ```
    #[must_use]
    pub const fn new(hasher: S) -> Self {
        todo!()
    }

    // Adds a document.
    pub fn add(&mut self, text: &str) -> usize {
        struct Seen(bool);
        impl Seen {
            fn mark(&mut self) { self.0 = true }
        }
        let mut n = 0;
        for (span, word) in words::split(text) {
            self.postings.entry(word.to_owned()).or_default().push(span);
            n += 1;
        }
        n
    }

    pub async fn refresh<F>(&mut self, load: F) -> Result<()>
    where
        F: AsyncFn(&str) -> Result<String>,
    {
        let text = load("a").await?;
        self.add(&text);
        Ok(())
    }

    pub unsafe extern "C" fn raw(this: *const Self) -> *const u8 { this.cast() }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "empty"),
            Self::Syntax { why, .. } if !why.is_empty() => f.write_str(why),
            other => write!(f, "{other:?}"),
        }
    }
}

impl std::error::Error for Error {}

#[allow(clippy::all)]
impl<'a> Query for &'a Word<'a> {
    type Answer = String;
    type Rows<'b> = std::str::Lines<'b> where Self: 'b;
    fn ask(&self, _: &Index) -> Result<String> { Err(Error::Empty) }
}

unsafe impl Send for Marker {}

/// Builds an index from pairs.
#[macro_export]
macro_rules! index {
    () => { $crate::Index::default() };
    ($($name:expr => $text:expr),+ $(,)?) => {{
        let mut index = $crate::Index::default();
        $(index.add($text);)+
        index
    }};
}

macro_rules! newtype { ($n:ident, $t:ty) => { pub struct $n(pub $t); impl $n { fn get(&self) -> &$t { &self.0 } } } }

newtype!(Row, u32);

thread_local! {
    static DEPTH: u32 = 0;
}

extern "C" {
    fn strlen(text: *const i8) -> usize;
    static environ: *const *const i8;
}

#[no_mangle]
pub extern "C" fn index_version() -> u32 {
    let r#type = r#"fn not_a_function() { "quoted" }"#;
    r#type.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "no such
        word")]
    fn finds_a_word() {
        let index: Index = index!["a" => "b c"];
        assert_eq!(index.names.len(), 0);
    }

    async fn r#async() {}
}
