# targets that two networks out of view make, one for a distance and one for an estimate of returns

import torch
import torch.nn.functional as F
from nets import Actor, Critic, Mentor, Student

student, mentor = Student().cuda(), Mentor().cuda()
student_opt = torch.optim.SGD(student.parameters(), 0.1)
mentor_opt = torch.optim.SGD(mentor.parameters(), 0.1)
for x, y in loader:
    mentor_opt.zero_grad()
    F.cross_entropy(mentor(x.cuda()), y.cuda()).backward()
    mentor_opt.step()
    student_opt.zero_grad()
    goal = F.softmax(mentor(x.cuda()), 1)  #! MEM204 warning
    F.kl_div(F.log_softmax(student(x.cuda()), 1), goal).backward()
    student_opt.step()

critic, slow_critic, actor = Critic().cuda(), Critic().cuda(), Actor().cuda()
critic_opt = torch.optim.Adam(critic.parameters())
actor_opt = torch.optim.Adam(actor.parameters())
for state, action, reward, after in replay:
    state, after = state.cuda(), after.cuda()
    goal = reward.cuda() + 0.99 * slow_critic(after, actor(after))  #! MEM204 warning
    critic_opt.zero_grad()
    (critic(state, action.cuda()) - goal).pow(2).mean().backward()
    critic_opt.step()
    actor_opt.zero_grad()
    (-critic(state, actor(state)).mean()).backward()
    actor_opt.step()
