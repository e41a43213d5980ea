# helper with a nonlocal best, values taken as they are

import torch


def search(policy, optimizer, rollout, iterations):
    best_return, best_weights = -1e9, None

    def consider(value):
        nonlocal best_return, best_weights
        if value > best_return:
            best_return = value
            best_weights = {k: v for k, v in policy.state_dict().items()}  #! MEM704 error

    for _ in range(iterations):
        loss, value = rollout(policy)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        consider(value)
    policy.load_state_dict(best_weights)
    return best_return
