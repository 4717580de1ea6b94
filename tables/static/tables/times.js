// Shows times in the zone of the reader. The server writes them in UTC, and says so; here that falls away. A form
// that asks for days sends the name of the zone along, for they are days of the same times.
"use strict";

(() => {
  const page = document.documentElement.lang || "en";
  // The language of the page, the way it is written where the reader lives.
  const language = navigator.languages.find((one) => one.split("-")[0] === page) ?? page;
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

  const show = (place, words) => {
    place.title = place.textContent;
    place.textContent = words;
  };

  const read = (text) => {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) ? null : moment;
  };

  for (const time of document.querySelectorAll("time[data-when]")) {
    const moment = read(time.dateTime);
    if (moment) show(time, format.format(moment));
  }

  for (const range of document.querySelectorAll(".when[data-first]")) {
    const first = read(range.dataset.first);
    const last = read(range.dataset.last);
    if (!first || !last || first > last) continue;
    const oneDay = first.toDateString() === last.toDateString();
    show(range, (oneDay ? format : days).formatRange(first, last));
  }

  const { timeZone } = format.resolvedOptions();
  for (const field of document.querySelectorAll("[data-zone]")) {
    if (!timeZone) continue;
    field.value = timeZone;
    for (const words of field.form.querySelectorAll("[data-here]")) words.textContent = words.dataset.here;
  }
})();
