"""Everything that can be set from outside is read here, from environment variables (README, "Settings")."""

from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from openseat_site.environment import env_bool, env_hosts, env_int, env_path, env_str, env_url
from openseat_site.secret_key import read_or_draw

ROOT = Path(__file__).resolve().parent.parent
DATA_DIR = env_path("DATA_DIR") or ROOT / ".openseat"

DEBUG = env_bool("DEBUG")
TEST_MODE = env_bool("TEST_MODE")
PUBLIC_URL = env_url("PUBLIC_URL")
HTTPS = PUBLIC_URL.startswith("https://")
BEHIND_PROXY = env_bool("BEHIND_PROXY")

# `serve` keeps the drawn key in this file; a key from the environment is never written down.
KEY_FILE = None if env_str("SECRET_KEY") else DATA_DIR / "secret.key"
SECRET_KEY = env_str("SECRET_KEY") if KEY_FILE is None else read_or_draw(KEY_FILE)

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = [*LOOPBACK, *env_hosts("ALLOWED_HOSTS")]
if PUBLIC_URL:
    ALLOWED_HOSTS.append(urlsplit(PUBLIC_URL).hostname or "")
    CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Set by `serve`: the address of this machine in the home network, for links made on localhost.
NETWORK_URL = ""

# What time it is and where shoes come from. Only a test may name other sources, see tables/clock.py.
CLOCK = "tables.clock.system_now"
SEED_SOURCE = "tables.clock.random_seed"
TEST_CLOCK_FILE = env_path("TEST_CLOCK_FILE")
TEST_SEED_FILE = env_path("TEST_SEED_FILE")
for name, file in {"TEST_CLOCK_FILE": TEST_CLOCK_FILE, "TEST_SEED_FILE": TEST_SEED_FILE}.items():
    if file and not TEST_MODE:
        raise ImproperlyConfigured(
            f"{name} moves the clock or fixes the cards; it is refused without TEST_MODE=1."
        )
if TEST_MODE and (PUBLIC_URL or ALLOWED_HOSTS != LOOPBACK):
    raise ImproperlyConfigured(
        "TEST_MODE is for this machine alone; it is refused with PUBLIC_URL or ALLOWED_HOSTS."
    )
if TEST_CLOCK_FILE:
    CLOCK = "tables.clock.file_now"
if TEST_SEED_FILE:
    SEED_SOURCE = "tables.clock.file_seed"

INSTALLED_APPS = [
    "daphne",
    "channels",
    "django_htmx",
    "csp",
    "tables",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "openseat_site.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tables.identity.GuestMiddleware",
]

ROOT_URLCONF = "openseat_site.urls"
ASGI_APPLICATION = "openseat_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "openseat.sqlite3",
        # A pooled connection would be lost with each request's thread under ASGI.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            # Two writers must queue, not fail: take the write lock at BEGIN and wait for it.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("uk", "Українська"), ("ru", "Русский"), ("bg", "Български")]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# On a plain http address of the home network browsers ignore this header and complain in the console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 0)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = GUEST_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True

# A page of this site posts a form of a few short fields; nothing larger is read into memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"refusals": {"()": "openseat_site.refusals.RefusalsAreWarnings"}},
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    # Django's own configuration has mail and a debug console here; one place to look at is enough.
    "loggers": {"django": {"handlers": ["console"], "level": "WARNING", "propagate": False}},
}
