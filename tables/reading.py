"""Pages that are only read: whatever else is sent to them is answered in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

READ = ("GET", "HEAD")


def require_safe(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer anything but GET and HEAD with 405 and a page that says why.

    Such a view changes nothing, so no form of it can be forged: that check would only hide this answer.
    """

    @csrf_exempt
    @wraps(view)
    def read(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if request.method in READ:
            return view(request, *args, **more)
        context = {
            "title": _("This page is only read"),
            "text": _("Nothing can be sent to this address. Open it as a page."),
        }
        answer = render(request, "tables/notice.html", context, status=405)
        answer["Allow"] = ", ".join(READ)
        return answer

    return read
