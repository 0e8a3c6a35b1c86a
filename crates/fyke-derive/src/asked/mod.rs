//! What is found out of documents and columns when somebody asks, and is not kept: nobody could say beforehand
//! of which text or page it will be asked.

pub mod papers;
pub mod phrases;
pub mod quicklinks;
pub mod similar;
