import type { Organization, State } from "../store/state";
import { newPeople } from "./record";

/** Replaces the plain maps of people in a state of the past by maps that keep indexes. */
export function withIndexes(state: State): State {
  for (const organization of state.organizations.values()) Object.assign(organization, peopleIn(organization));
  return state;
}

function peopleIn(organization: Organization) {
  const people = newPeople();
  for (const { additions, members, ...settings } of organization.teams.values()) {
    const team = people.teams.create(settings);
    team.additions = additions;
    for (const [userId, membership] of members) team.members.set(userId, membership);
  }
  for (const [id, member] of organization.members) people.members.set(id, member);
  for (const [email, teams] of organization.invitations) people.invitations.set(email, teams);
  return people;
}
