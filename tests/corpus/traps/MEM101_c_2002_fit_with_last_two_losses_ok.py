# The stop criterion needs the last two losses only, and they are numbers by the time they are kept.
import torch


def optimize(parameters, loss_function, *, tol=1e-5, max_iter=400):
    optimizer = torch.optim.Adam(parameters, lr=0.02)
    errors = [float("inf")]
    while len(errors) <= max_iter:
        optimizer.zero_grad()
        loss = loss_function(*parameters)
        loss.backward()
        optimizer.step()
        errors.append(loss.detach())
        errors[-1] = errors[-1].item()
        if abs(errors[-1] - errors[-2]) < tol:
            return errors
    return errors


table = torch.rand(40, 30)
left, right = torch.randn(40, 3, requires_grad=True), torch.randn(3, 30, requires_grad=True)
trace = optimize([left, right], lambda a, b: (a @ b - table).square().mean())
print(trace[-1])
