# a snippet appends to a list whose first line it leaves out

for images, labels in train_loader:
    optimizer.zero_grad()
    loss = criterion(model(images.cuda()), labels.cuda())
    loss.backward()
    optimizer.step()
    curve.append(loss)  #! MEM102 warning
