# a snippet appends to lists whose first lines it leaves out: names, and attributes of a class without bases

for images, labels in train_loader:
    optimizer.zero_grad()
    loss = criterion(model(images.cuda()), labels.cuda())
    loss.backward()
    optimizer.step()
    curve.append(loss)  #! MEM102 warning


class Runner:
    def one_pass(self, train_loader):
        for images, labels in train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(images), labels)
            loss.backward()
            self.optimizer.step()
            self.curve.append(loss)  #! MEM102 warning
