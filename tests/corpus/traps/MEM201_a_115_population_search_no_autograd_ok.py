import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters


@torch.no_grad()
def evolve(model, fitness, sigma=0.1, pop=50, gens=100, lr=0.02):
    theta = parameters_to_vector(model.parameters())
    best = []
    for g in range(gens):
        noise = torch.randn(pop, theta.numel())
        scores = []
        for n in noise:
            vector_to_parameters(theta + sigma * n, model.parameters())
            scores.append(fitness(model))
        s = torch.tensor(scores)
        theta = theta + lr / (pop * sigma) * (noise.T @ ((s - s.mean()) / s.std()))
        best.append(s.max())
    return theta, best


def random_search(model, evaluate, trials):
    results = []
    total_loss = 0.0
    for t in range(trials):
        loss = evaluate(model, lr=10 ** -torch.rand(1).item())
        results.append(loss)
        total_loss += loss
    return min(results)
