"""What the pages need: the stores of accounts, the authorization server, the live corpus."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.accounts.logo import Logos
from fundstelle.accounts.oauth.clients import Clients
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.invitations import Invitations
from fundstelle.accounts.people.people import People
from fundstelle.accounts.people.provisioning import ProvisioningToken
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.accounts.policies import Policies
from fundstelle.accounts.usage import Usage
from fundstelle.lookup.library import Library
from fundstelle.oauth.server import AuthorizationServer
from fundstelle.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """One server's parts, as the pages use them; put together by ``bootstrap``."""

    settings: Settings
    people: People
    invitations: Invitations
    throttle: Throttle
    devices: Devices
    sessions: Sessions
    second_factors: SecondFactors
    identities: Identities
    keys: ApiKeys
    policies: Policies
    logos: Logos
    provisioning: ProvisioningToken
    clients: Clients
    grants: Grants
    authorization: AuthorizationServer
    quotas: Quotas
    usage: Usage
    audit: AuditLog
    # the live corpus, ``None`` while there is none; its index is not for pages
    library: Callable[[], AbstractContextManager[Library | None]]
    # the same with an index to search, for one page at a time
    searchable: Callable[[], AbstractContextManager[Library | None]]
