"use strict";

// The shuffle of this site, so that a browser can repeat it. What it does in plain words: /how-to-check/
//
//   await Shuffle.sha256(seed)           the hash that is shown before the bets
//   await Shuffle.shoe(decks, seed)      the cards of a shoe in the order in which they come, such as "Th"
//   await Shuffle.order(cards, seed)     any cards in the order that the seed fixes: used for the discards
//
// Bytes are Uint8Arrays. Browsers keep their own SHA-256 from pages that come by plain http, such as those of a
// home network; `Shuffle.plain` has one that works everywhere, and the same HMAC.
const Shuffle = (() => {
  // SHA-256 as FIPS 180-4 has it

  const firstBits = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32);

  const primes = (count) => {
    const found = [];
    for (let number = 2; found.length < count; number++) {
      if (found.every((prime) => number % prime !== 0)) found.push(number);
    }
    return found;
  };

  const START = primes(8).map((prime) => firstBits(Math.sqrt(prime)));
  const ROUND = primes(64).map((prime) => firstBits(Math.cbrt(prime)));

  const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));

  // The message, a one bit, zeros, and at the end of the last 64 bytes how many bits the message has.
  const padded = (message) => {
    const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
    bytes.set(message);
    bytes[message.length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
    view.setUint32(bytes.length - 4, message.length << 3);
    return view;
  };

  const plainSha256 = (message) => {
    const view = padded(message);
    const hash = Uint32Array.from(START);
    const w = new Uint32Array(64);
    for (let block = 0; block < view.byteLength; block += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
      for (let i = 16; i < 64; i++) {
        const small0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const small1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = w[i - 16] + small0 + w[i - 7] + small1;
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const big1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
        const chosen = (e & f) ^ (~e & g);
        const one = (h + big1 + chosen + ROUND[i] + w[i]) | 0;
        const big0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
        const most = (a & b) ^ (a & c) ^ (b & c);
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + big0 + most) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
    }
    const digest = new DataView(new ArrayBuffer(32));
    hash.forEach((word, i) => digest.setUint32(4 * i, word));
    return new Uint8Array(digest.buffer);
  };

  // HMAC as RFC 2104 has it

  const joined = (first, second) => {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
  };

  const plainHmac = (key, message) => {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? plainSha256(key) : key);
    const inner = plainSha256(joined(block.map((byte) => byte ^ 0x36), message));
    return plainSha256(joined(block.map((byte) => byte ^ 0x5c), inner));
  };

  // The same by the browser, where it gives them

  const sha256 = async (message) => {
    if (!globalThis.crypto?.subtle) return plainSha256(message);
    return new Uint8Array(await crypto.subtle.digest("SHA-256", message));
  };

  const hmac = async (key, message) => {
    // Web Crypto takes no empty key.
    if (!globalThis.crypto?.subtle || !key.length) return plainHmac(key, message);
    const known = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", known, message));
  };

  // The shuffle

  // 32-bit numbers without end: HMAC-SHA256 of 0, 1, 2, … as eight bytes, with the seed as its key.
  const words = async function* (seed) {
    for (let counter = 0; ; counter++) {
      const message = new DataView(new ArrayBuffer(8));
      message.setUint32(4, counter);
      const eight = new DataView((await hmac(seed, new Uint8Array(message.buffer))).buffer);
      for (let i = 0; i < 8; i++) yield eight.getUint32(4 * i);
    }
  };

  // Fisher and Yates: from the last place down each card is swapped with one that is not behind it. A word that
  // would favour some places is thrown away.
  const swapped = async (cards, source) => {
    const shuffled = [...cards];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const places = last + 1;
      const limit = 2 ** 32 - (2 ** 32 % places);
      let word;
      do word = (await source.next()).value;
      while (word >= limit);
      const other = word % places;
      [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
    }
    return shuffled;
  };

  const order = (cards, seed) => swapped(cards, words(seed));

  const DECK = [..."shdc"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

  const shoe = (decks, seed) => order(Array(decks).fill(DECK).flat(), seed);

  // Bytes as people read them

  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  const fromHex = (text) => {
    if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError("This is no lower-case hexadecimal number.");
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  };

  return Object.freeze({
    sha256,
    hmac,
    plain: Object.freeze({ sha256: plainSha256, hmac: plainHmac }),
    words,
    swapped,
    order,
    shoe,
    deck: Object.freeze(DECK),
    toHex,
    fromHex,
  });
})();
