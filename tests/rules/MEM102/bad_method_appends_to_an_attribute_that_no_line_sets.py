# a snippet shows one method of a class without bases, and not where it makes the list


class Runner:
    def one_pass(self, train_loader):
        for images, labels in train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(images), labels)
            loss.backward()
            self.optimizer.step()
            self.curve.append(loss)  #! MEM102 warning
