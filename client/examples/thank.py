"""Thanks everybody who is named on the command line, and prints what was sent.

REWARDS_URL=https://rewards.example.com REWARDS_TOKEN=rwd_... python3 thank.py 5 "for the release" ada zoe
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("REWARDS_URL", "http://127.0.0.1:8000")
TOKEN = os.environ.get("REWARDS_TOKEN", "")


def give(to, value, reason, attempts=5):
    """Sends points once, however often the request has to be repeated: the key says that it is the same one."""
    headers = {
        "authorization": f"Bearer {TOKEN}",
        "content-type": "application/json",
        "idempotency-key": str(uuid.uuid4()),
    }
    body = json.dumps({"to": to, "value": value, "reason": reason}).encode()
    for attempt in range(1, attempts + 1):
        request = urllib.request.Request(f"{URL}/api/v1/transactions", body, headers)
        wait = 2.0**attempt
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            wait = float(error.headers.get("retry-after") or wait)
            if error.code not in (429, 502, 503, 504) or attempt == attempts:
                raise SystemExit(f"{to}: {json.load(error)['detail']}") from None
        except urllib.error.URLError as error:
            if attempt == attempts:
                raise SystemExit(f"{to}: {error.reason}") from None
        time.sleep(wait)


if __name__ == "__main__":
    _, points, why, *people = sys.argv
    for name in people:
        print(f"{give(name, int(points), why)['id']}: {points} to {name}")
