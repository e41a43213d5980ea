import torch


def simulate(model, state, controls, targets, cost):
    """Each step starts from what the one before gave."""
    total = torch.zeros(())
    for u, target in zip(controls, targets):
        state = state + 0.1 * model(torch.cat([state, u], -1))
        total = total + cost(state, target)
    return total / len(controls)


def fit(model, data, cost, epochs):
    opt = torch.optim.LBFGS(model.parameters(), line_search_fn="strong_wolfe")
    for _ in range(epochs):
        for start, controls, targets in data:
            def closure():
                opt.zero_grad()
                loss = simulate(model, start, controls, targets, cost)
                loss.backward()
                return loss
            opt.step(closure)
