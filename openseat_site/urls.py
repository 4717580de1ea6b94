from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from openseat_site.health import healthz

urlpatterns = [
    path("", include("tables.urls")),
    path("language/", set_language, name="language"),
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
]
