import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "modest",
    max_examples=40,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("modest"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "modest"))
