# Fits the cores of a small tensor train to a picture, as the optimise() helpers of tensor libraries do.
import time

import torch


def reconstruct(cores):
    left = cores[0]
    for core in cores[1:]:
        left = torch.einsum("...r,rnk->...nk", left, core)
    return left.squeeze(0).squeeze(-1)


def relative_error(guess, target):
    return torch.norm(guess - target) / torch.norm(target)


def optimize(tensors, loss_function, tol=1e-4, max_iter=1000, verbose=True):
    optimizer = torch.optim.Adam(tensors, lr=0.05)
    history = []
    start = time.time()
    iteration = 0
    while True:
        optimizer.zero_grad()
        loss = loss_function(tensors)
        loss.backward()
        optimizer.step()
        history.append(loss)  #! MEM102
        if len(history) >= 3 and abs(history[-1] - history[-2]) < tol:
            break
        iteration += 1
        if iteration == max_iter:
            break
        if verbose and iteration % 100 == 0:
            print(f"iter: {iteration: <6}| loss: {history[-1]:12.8f} | total time: {time.time() - start:9.3f}")
    return history


picture = torch.rand(24, 20, 12)
ranks = [1, 4, 4, 1]
cores = [torch.randn(ranks[i], n, ranks[i + 1], requires_grad=True) for i, n in enumerate(picture.shape)]
history = optimize(cores, lambda t: relative_error(reconstruct(t), picture))
print(len(history), float(history[-1]))
