# A helper of another file freezes the teacher.

from helpers import freeze
from networks import LargeNet, SmallNet

teacher = LargeNet(10).cuda()
freeze(teacher)
student = SmallNet(10).cuda()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for images, labels in loader:
    images, labels = images.cuda(), labels.cuda()
    wanted = teacher(images)
    given = student(images)
    loss = F.cross_entropy(given, labels) + F.kl_div(given.log_softmax(1), wanted.softmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
