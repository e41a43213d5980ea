# Backward runs through the sum, which is begun again, cut off or waits for its window.

def every_fourth(model, loader, criterion, optimizer):
    loss = 0
    for i, (x, y) in enumerate(loader):
        loss = loss + criterion(model(x), y)
        if i % 4 == 3:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss = 0


def cut_off(model, loader, criterion, optimizer):
    state = 0
    for x, y in loader:
        state += criterion(model(x), y)
        optimizer.zero_grad()
        state.backward()
        optimizer.step()
        state = state.detach()


def zeroed_in_place(model, loader, criterion, optimizer):
    total = torch.zeros(1)
    for x, y in loader:
        total += criterion(model(x), y)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        total.detach_().zero_()
