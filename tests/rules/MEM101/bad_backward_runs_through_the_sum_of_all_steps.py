# The loss of each step is added to the sum before its backward, which so runs into the graph of the step before.

def train(model, loader, criterion, optimizer):
    loss = 0
    for images, labels in loader:
        images, labels = images.cuda(), labels.cuda()
        loss += criterion(model(images), labels)  #! MEM101 error
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
