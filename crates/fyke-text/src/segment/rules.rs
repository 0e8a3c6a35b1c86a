//! What no dictionary holds: numbers, dates, shares, names of people and foreign names.

/// Characters of written numbers.
const NUMERALS: &str = "〇○零一二三四五六七八九十百千万亿两";
/// Digits as in the number of a year.
const DIGITS: &str = "〇○零一二三四五六七八九";
/// Characters with which foreign names are written.
const FOREIGN: &str = "阿埃艾安奥巴贝比彼波博布查达戴丹德迪蒂杜多恩尔法菲费弗佛夫福富盖戈哥格古哈海汉赫亨胡怀霍基吉加贾杰捷金卡凯坎康考科克库拉莱兰朗劳勒雷里利莉林伦罗洛马麦曼梅门蒙米莫姆穆纳娜内尼诺欧帕佩皮普奇乔切琼热茹瑞萨塞桑森沙舍什史斯苏所索塔泰坦汤唐特提图托瓦万威韦维温沃乌西希夏香肖谢辛休雅亚扬耶伊因尤约扎詹泽兹佐茨";
/// Family names of one character.
const FAMILIES: &str = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚";
/// Foreign names have so many characters.
const FOREIGN_LENGTHS: std::ops::RangeInclusive<usize> = 4..=9;

/// Shows where words end by rule that begin at a place.
pub(super) fn ends(chars: &[char], from: usize, mut show: impl FnMut(usize)) {
    let inside = from > 0 && is_ascii_word(chars[from - 1]) && is_ascii_word(chars[from]);
    if inside {
        return;
    }
    let run = |at: usize, is_in: fn(char) -> bool| {
        at + chars[at..].iter().take_while(|c| is_in(**c)).count()
    };
    let at = |place: usize| chars.get(place).copied().unwrap_or(' ');
    if is_ascii_word(chars[from]) {
        let end = ascii_end(chars, from);
        show(end);
        if chars[from].is_ascii_digit() {
            let large = run(end, |c| "百千万亿".contains(c));
            (large > end).then(|| show(large));
            dated(end - from, end, at(end), &mut show);
        }
    } else if is_numeral(chars[from]) {
        let end = run(from, is_numeral);
        (end > from + 1).then(|| show(end));
        let digits = run(from, |c| DIGITS.contains(c));
        let length = if digits == end { end - from } else { 1 };
        dated(length, end, at(end), &mut show);
        if at(end) == '点' && is_numeral(at(end + 1)) {
            show(run(end + 1, is_numeral));
        }
    } else if chars[from..].starts_with(&['百', '分', '之']) {
        let end = run(from + 3, |c| is_numeral(c) || c.is_ascii_digit() || c == '点');
        (end > from + 3).then(|| show(end));
    }
    let foreign = run(from, |c| FOREIGN.contains(c));
    if FOREIGN_LENGTHS.contains(&(foreign - from)) {
        show(foreign);
    }
}

/// A number is one word with the month, day or hour behind it; with the year only if it names one.
fn dated(digits: usize, end: usize, unit: char, show: &mut impl FnMut(usize)) {
    if matches!(unit, '月' | '日' | '时' | '分') || (unit == '年' && digits == 4) {
        show(end + 1);
    }
}

fn ascii_end(chars: &[char], from: usize) -> usize {
    let mut end = from;
    while end < chars.len() {
        let joins = matches!(chars[end], '.' | '-' | '@' | '/')
            && chars.get(end + 1).is_some_and(|c| is_ascii_word(*c));
        if !is_ascii_word(chars[end]) && !joins {
            break;
        }
        end += 1;
    }
    end + usize::from(chars.get(end).is_some_and(|c| matches!(c, '%' | '％')))
}

fn is_ascii_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

fn is_numeral(c: char) -> bool {
    NUMERALS.contains(c)
}

pub(super) fn is_family_name(c: char) -> bool {
    FAMILIES.contains(c)
}

pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}')
}
