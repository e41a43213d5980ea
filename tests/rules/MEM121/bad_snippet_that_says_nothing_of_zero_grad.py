# a snippet without imports that never clears: backward and step are enough to know torch by

for inputs, labels in loader:
    outputs = model(inputs)
    loss = criterion(outputs, labels)
    loss.backward()  #! MEM121 error
    optimizer.step()
