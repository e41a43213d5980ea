# a snippet without imports, of which only `loss.backward()` is torch's

for epoch in range(10):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        losses.append(loss)  #! MEM102 warning
