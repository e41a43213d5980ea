# what a base class out of view, a property or a caller gives may keep numbers only, or a few of the last

from kit import Base


class Runner(Base):
    def one_pass(self, train_loader):
        for images, labels in train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(images), labels)
            loss.backward()
            self.optimizer.step()
            self.curve.append(loss)


class Meter:
    @property
    def curve(self):
        return make_window(20)

    def one_pass(self, train_loader, history):
        for images, labels in train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(images), labels)
            loss.backward()
            self.optimizer.step()
            self.curve.append(loss)
            history.append(loss)


for images, labels in train_loader:
    optimizer.zero_grad()
    loss = criterion(model(images), labels)
    loss.backward()
    optimizer.step()
    window.append(loss)
    print(sum(window).item())
    window.clear()
