# advanced indexing copies

import torch

points = torch.randn(5000, 3)
chosen = torch.randperm(5000)[:100]
inside = points.norm(dim=1) < 1
torch.save(points[chosen], "chosen.pt")
torch.save(points[inside], "inside.pt")
torch.save(points[[1, 5, 7]], "three.pt")
