"""Where this machine can be reached in its networks."""

import ipaddress
import socket

# Nothing is sent to them: connecting a datagram socket only asks the system which way a packet would leave.
SOMEWHERE = ["192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"]


def network_addresses() -> list[str]:
    """This machine's IPv4 addresses in its networks, the one with the way to the internet first."""
    found: list[str] = []
    for target in SOMEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                address: str = probe.getsockname()[0]
            except OSError:
                continue
        if address not in found and not is_loopback(address) and address != "0.0.0.0":  # noqa: S104
            found.append(address)
    return found


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
