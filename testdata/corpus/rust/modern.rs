//! What an older grammar of Rust stumbles over.
#![feature(gen_blocks, let_chains)]

extern crate alloc;

unsafe extern "C" {
    pub safe fn sqrt(x: f64) -> f64;
    pub unsafe fn strlen(p: *const std::ffi::c_char) -> usize;
    static mut errno: i32;
}

#[unsafe(no_mangle)]
pub extern "C" fn exported() -> i32 {
    0
}

pub struct Ring<T, const N: usize = { 4 * 2 }> {
    items: [Option<T>; N],
    next: usize,
}

impl<T, const N: usize> Ring<T, N>
where
    T: Clone + ?Sized,
{
    /// Adds one.
    pub const fn push(&mut self, item: T) {
        self.next += 1;
    }

    async fn each(&self, visit: impl AsyncFn(&T)) {
        let twice = async |n: i32| -> i32 { n * 2 };
        let moved = async move || { self.next };
        let Some(first) = self.items.first() else { return };
        if let Some(x) = first && let Ok(n) = twice(1).await {
            visit(x).await;
        }
    }

    pub gen fn walk(&self) -> usize {
        for n in 0..self.next {
            yield n;
        }
    }

    fn after_walk(&self) -> usize { self.next }
}

async gen fn ticks() -> u32 {
    yield 1;
}

pub fn opaque<'a>(s: &'a str) -> impl Sized + use<'a> {
    const { assert!(true) };
    let raw = &raw const s;
    s.len()
}

pub trait Shape = Clone + Send;

pub trait Source {
    fn items(&self) -> impl Iterator<Item = u8> + '_;
    async fn read(&mut self, n: usize) -> Vec<u8>;
    type Out: ?Sized = str;
}

impl<T: ?Sized> !Send for Guard<T> {}

auto trait Plain {}

pub static PICK: u8 = 1;

unsafe impl<#[may_dangle] T> Drop for Guard<T> {
    fn drop(&mut self) {}
}

impl const Default for Plainest {
    fn default() -> Self { Plainest }
}

cfg_if! {
    if #[cfg(unix)] {
        fn inside_macro() {}
    }
}

pub const fn c_text() -> &'static std::ffi::CStr {
    c"text"
}

#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
)]
#[diagnostic::on_unimplemented(message = "}")]
pub struct Attributed {
    pub r#type: u8,
    pub with_default: u8 = 3,
}

pub fn last() {}
