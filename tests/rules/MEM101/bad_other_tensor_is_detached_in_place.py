# the outputs lose their graph in place, the loss keeps its own

def train(model, loader, optimizer, criterion):
    total = 0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        out.detach_()
        total += loss  #! MEM101
    print(total)
