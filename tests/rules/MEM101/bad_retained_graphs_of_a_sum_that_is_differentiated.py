# Told to retain the graph, each backward runs through the penalties of all steps before it.

def train(model, loader, optimizer, weight=1e-4):
    for epoch in range(20):
        penalty = 0.0
        for inputs, targets in loader:
            loss = F.cross_entropy(model(inputs), targets)
            penalty = penalty + model.head(inputs).abs().mean()  #! MEM101 error
            optimizer.zero_grad()
            (loss + weight * penalty).backward(retain_graph=True)
            optimizer.step()
