# a potential for crystals differentiates its energy as it runs, which words of its results tell

import torch
from crystals import Structure2Graph


def _predict(pot, structure):
    graph, lattice, state = Structure2Graph(pot.model.element_types).get_graph(structure)
    e, f, s, _ = pot(graph, lattice, torch.tensor(state))
    return e.detach(), f.detach(), s.detach()


def compare(a, b, structures):
    a.eval()
    b.eval()
    for i, structure in enumerate(structures):
        for name, x, y in zip(("energy", "forces", "stress"), _predict(a, structure), _predict(b, structure)):
            if not torch.equal(x, y):
                raise SystemExit(f"{name} differs on {i}")


def measure(pot, loader):
    pot.eval()
    total = 0.0
    for graph, lattice, labels in loader:
        energy, forces, stress = pot(graph, lattice)
        total += (forces - labels["forces"]).abs().mean().item()
    return total
